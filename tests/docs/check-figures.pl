#!/usr/bin/env perl
# check-figures.pl SOURCE_DIR: checks that each figure of a result (docs/keys.md) is in exactly one row of a table of
# docs/figures.md, that each row stands for a figure, and that the rows name existing files. A figure is a number, a map,
# or a record whose keys are those of another table.
use strict;
use warnings;

chdir $ARGV[0] or die "no folder $ARGV[0]\n";
# The sections of docs/figures.md for each section of docs/keys.md.
my %sections = (
  'Head of a result' => ['All results'],
  'Result of kind cim' => ['Loop nests', 'CIM machines'],
  'Result of kind pim' => ['Loop nests', 'PIM machines'],
  'Result of kind cnm: kernel' => ['Kernels near memory'],
  'Result of kind cnm: network' => ['Kernels near memory'],
  'Result of kind cnm: program' => ['Kernels near memory'],
  'Compiled network: result' => ['Compiled networks'],
  'Compiled network: evaluated' => ['Compiled networks'],
  'Result of kind simd' => ['Schedules of netlists'],
);
my $faults = 0;
sub fault { print "$_[0]\n"; ++$faults }

# Returns the rows of the tables of a page, by section. Each row is a list of its cells.
sub rows_of {
  my ($page) = @_;
  my ($section, %rows) = ('');
  open(my $file, '<', $page) or die "cannot read $page\n";
  while (<$file>) {
    $section = $1 if /^##+ (.*)/;
    push @{$rows{$section}}, [split / \| /, $1] if /^\| (`.*) \|$/;
  }
  return \%rows;
}

my $keys = rows_of('docs/keys.md');
my $figures = rows_of('docs/figures.md');
my %used;
for my $section (sort keys %sections) {
  fault("docs/keys.md has no section '$section'") unless $keys->{$section};
  for my $row (@{$keys->{$section}}) {
    my ($key) = $row->[0] =~ /^`(.*)`$/;
    next unless $row->[1] =~ /^(an integer|a number|a map)/ || $row->[-1] =~ /Keys as in/;
    my @places;
    for my $page (@{$sections{$section}}) {
      for my $entry (@{$figures->{$page}}) {
        for my $name ($entry->[0] =~ /`([^`]+)`/g) {
          next unless $name eq $key || ($name =~ /^(.*\.)\*$/ && index($key, $1) == 0);
          push @places, $entry;
          $used{"$page: $name"} = 1;
        }
      }
    }
    fault("docs/figures.md has " . @places . " rows for `$key` of '$section', expected one") if @places != 1;
  }
}
for my $page (sort keys %$figures) {
  for my $entry (@{$figures->{$page}}) {
    for my $name ($entry->[0] =~ /`([^`]+)`/g) {
      fault("docs/figures.md, '$page': no result has the figure `$name`") unless $used{"$page: $name"};
    }
    for my $path ($entry->[1] =~ m{`((?:check|report|sim|model)/[^`]+)`}g) {
      fault("docs/figures.md, '$page': $path does not exist") unless -e $path;
    }
    fault("docs/figures.md, '$page': $entry->[0] has no sentence") unless $entry->[1] =~ /\.$/;
  }
}
print scalar(keys %used), " entries for the figures of results\n";
exit($faults > 0);
