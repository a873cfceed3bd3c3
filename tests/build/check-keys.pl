#!/usr/bin/env perl
# check-keys.pl SOURCE_DIR: checks that a JSON key that more than one place in report/ writes or reads is
# defined in report/keys and is quoted nowhere else. A quoted word is a key if it occurs in one of these
# positions: json["key"], the first element of a pair {"key", value}, the argument of a lookup, or an element
# of a list of keys. The argument for a parameter named `key` is also a key, if the function or lambda is
# defined in the same file or declared in a header of report/ or io/.
use strict;
use warnings;

chdir $ARGV[0] or die "no folder $ARGV[0]\n";
my $word = qr/"[a-z][a-z0-9_]*"/;
my $lookups = qr/\[\K$word(?=\])/;    # json["key"]; all that report/html has, where pairs are attributes and terms
my $positions = qr/$lookups
  |(?:\{|,\ )\{\ ?\K$word(?=,\ (?!(?:io::)?Align))    # {{"key", value}, ...
  |(?:\.|->)(?:at|contains|find|value|erase|number|text|integer|flag|list|word|title|require|count|amount)\(\ ?\K$word(?=[,)])
  |(?<![\w.>:])(?:at|number|compare_json)\(\ ?\K$word(?=[,)])    # members of classes that hold the JSON
  |(?<![\w.>])(?:put|optional_\w+|number_or|read_points|read_change|add_points|is_table|word)\([^"(),]+,\ \K$word(?=[,)])/x;
my $lists = qr/(?:\bkey : |keys = |known\.insert\()\{\K[^{}]*(?=\})|require\([^;{}]*, \{\K[^{}]*(?=\})/;    # {"key", "key", ...}
my $string = qr/(?:const char ?\*|std::string_view|const std::string ?&)/;
my $argument = qr/(?:[^(),"{}]|"[^"]*"|\((?:[^()]|\([^()]*\))*\)|\{[^{}]*\})+/;
my $definition = qr/\b(\w+)(?: ?= ?\[[^\]]*\])? ?\(((?:[^(),]+, ?)*)$string key(?=[,) ])/;

sub sources {
  my ($pattern, @folders) = @_;
  return sort grep { /$pattern/ } split /\n/, `find @folders -type f`;
}

sub content {    # on one line, without comments
  open(my $file, '<', $_[0]) or die "cannot read $_[0]\n";
  my $text = join '', map { s{ //.*}{}r } grep { !m{^ *(?:#include|//)} } <$file>;
  return $text =~ tr/ \n/ /sr;
}

# Patterns that find the quoted keys in calls of the functions and lambdas that a text declares with a parameter `key`.
sub calls {
  my ($text) = @_;
  my %seen;
  while ($text =~ /$definition/g) { $seen{"$1 " . ($2 =~ tr/,//)} = 1 }
  return map { my ($name, $before) = split; qr/(?<![\w:"])$name\( ?(?:$argument, ?){$before}\K$word(?=[,)])/ } sort keys %seen;
}

my (%named, @faults);
for my $file (sources(qr/\.h$/, 'report/keys')) {
  my $text = content($file);
  while ($text =~ /inline constexpr char [a-z0-9_]+\[\] = ("[^"]*");/g) {
    push @faults, "named twice in report/keys: $1" if $named{$1}++;
  }
}
die "report/keys names no keys\n" if keys %named <= 100;
my @everywhere = calls(join ' ', map { content($_) } sources(qr/\.h$/, 'report', 'io'));
die "no header declares what takes a key\n" if !@everywhere;

my @found;
for my $file (grep { !m{^report/keys/} } sources(qr/\.(?:h|cpp)$/, 'report')) {
  my $text = content($file);
  for my $pattern ($file =~ m{^report/html/} ? $lookups : $positions, @everywhere, calls($text)) {
    while ($text =~ /$pattern/g) { push @found, [$&, $file, $-[0]] }
  }
  while ($text =~ /$lists/g) {
    my ($list, $at) = ($&, $-[0]);
    while ($list =~ /$word/g) { push @found, [$&, $file, $at + $-[0]] }
  }
}
my (%at, %count);
@found = grep { !$at{"$_->[1] $_->[2]"}++ } @found;    # a place that two patterns find counts once
die "no keys found in report/\n" if @found <= 50;
$count{$_->[0]}++ for @found;
for my $place (@found) {
  my ($key, $file) = @$place;
  push @faults, "$file spells $key, which has a name in report/keys" if $named{$key};
  push @faults, "$file spells $key, and so does another place: give it a name in report/keys" if !$named{$key} && $count{$key} > 1;
}
print "$_\n" for @faults;
exit(@faults ? 1 : 0);
