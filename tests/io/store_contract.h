// Tests that every store must pass, whatever its database.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "io/sha256.h"
#include "io/store/store.h"

namespace nestor::io {

/// Opens the same store on each call.
using Opener = std::function<std::unique_ptr<Store>(StoreUse)>;

struct Work {
  std::vector<NewPoint> points;
  std::vector<PlanRow> rows;
};

inline Work some_work(int count, const std::string& suffix = "") {
  Work work;
  for (int i = 0; i < count; ++i) {
    const auto key = sha256(std::to_string(i) + suffix);
    work.points.push_back({key, "map", R"({"i":)" + std::to_string(i) + "}", "{}"});
    work.rows.push_back({key, "machine", "{}", "network", "{}", "layer" + std::to_string(i), i + 1});
  }
  return work;
}

inline PointResult result_of(const ClaimedPoint& point) {
  PointResult result;
  result.status = "optimal";
  result.latency = static_cast<double>(point.inputs.size());
  result.result = point.inputs;
  return result;
}

inline void expect_equal_work_done_once(const Opener& open) {
  const auto work = some_work(10);
  {
    const auto store = open(StoreUse::create);
    ASSERT_FALSE(store->add_plan({"one", "d", "t"}, work.points, work.rows));
    ASSERT_FALSE(store->add_plan({"two", "d", "t"}, work.points, std::span(work.rows).first(4)));
    EXPECT_EQ(store->counts("")->all(), 10);
    EXPECT_EQ(store->counts("two")->all(), 4);
    const auto claimed = store->claim("me", 3, 60);
    ASSERT_TRUE(claimed);
    ASSERT_EQ(claimed->size(), 3U);
    for (const auto& point : *claimed) EXPECT_TRUE(*store->finish("me", point.id, result_of(point)));
  }
  const auto store = open(StoreUse::existing);
  ASSERT_FALSE(store->add_plan({"one", "d2", "t2"}, work.points, work.rows));  // the same plan again
  EXPECT_EQ(store->counts("one")->done, 3);
  EXPECT_EQ(store->counts("one")->todo, 7);
  const auto rows = store->rows("one");
  ASSERT_TRUE(rows);
  ASSERT_EQ(rows->size(), 10U);
  EXPECT_EQ((*rows)[2].state, "done");
  EXPECT_EQ((*rows)[2].found.latency, 7.0);
  EXPECT_EQ((*rows)[2].repeat, 3);
  EXPECT_EQ((*rows)[3].state, "todo");
  EXPECT_FALSE((*rows)[3].found.latency);
  EXPECT_EQ(store->plans()->front().digest, "d2");
}

inline void expect_points_back_after_lease(const Opener& open) {
  const auto store = open(StoreUse::create);
  const auto work = some_work(1);
  ASSERT_FALSE(store->add_plan({"plan", "", ""}, work.points, work.rows));
  const auto first = store->claim("first", 1, 1000);
  ASSERT_EQ(first->size(), 1U);
  EXPECT_TRUE(store->claim("second", 1, 1000)->empty());
  ASSERT_FALSE(store->renew("first", -1));  // lets the lease expire
  const auto second = store->claim("second", 1, 1000);
  ASSERT_EQ(second->size(), 1U);
  EXPECT_FALSE(*store->finish("first", first->front().id, result_of(first->front())));
  EXPECT_TRUE(*store->finish("second", second->front().id, result_of(second->front())));
  EXPECT_FALSE(*store->finish("second", second->front().id, result_of(second->front())));
}

inline void expect_failure_after_three_workers(const Opener& open) {
  const auto store = open(StoreUse::create);
  const auto work = some_work(2);
  ASSERT_FALSE(store->add_plan({"plan", "", ""}, work.points, work.rows));
  ASSERT_EQ(store->claim("polite", 1, 1000)->size(), 1U);
  ASSERT_FALSE(store->put_back("polite"));  // this attempt does not count
  for (int i = 0; i < Store::most_attempts; ++i) {
    const auto claimed = store->claim("killed", 1, -1);
    ASSERT_EQ(claimed->size(), 1U);
    EXPECT_EQ(claimed->front().inputs, work.points[0].inputs);
  }
  const auto claimed = store->claim("next", 2, 1000);
  ASSERT_EQ(claimed->size(), 1U);
  EXPECT_EQ(claimed->front().inputs, work.points[1].inputs);
  const auto rows = store->rows("plan");
  EXPECT_EQ((*rows)[0].state, "failed");
  EXPECT_FALSE((*rows)[0].found.error.empty());
}

inline void expect_hostile_names_kept(const Opener& open) {
  const auto store = open(StoreUse::create);
  const std::string hostile = "x'); DROP TABLE points; --\"\n\x01{}";
  const std::string name = "plan '; DELETE FROM plans; --";
  Work work;
  work.points.push_back({hostile, hostile, hostile, hostile});
  work.rows.push_back({hostile, hostile, hostile, hostile, hostile, hostile, 1});
  ASSERT_FALSE(store->add_plan({name, hostile, hostile}, work.points, work.rows));
  const auto claimed = store->claim(hostile, 1, 1000);
  ASSERT_EQ(claimed->size(), 1U);
  EXPECT_EQ(claimed->front().inputs, hostile);
  PointResult result;
  result.error = result.status = result.result = hostile;
  ASSERT_FALSE(store->renew(hostile, 1000));
  EXPECT_TRUE(*store->finish(hostile, claimed->front().id, result));
  ASSERT_FALSE(store->put_back(hostile));
  const auto points = store->points(0, 10);
  ASSERT_EQ(points->size(), 1U);
  const auto& point = points->front();
  for (const auto& text : {point.key, point.verb, point.inputs, point.options, point.found.error,
                           point.found.status, point.found.result})
    EXPECT_EQ(text, hostile);
  ASSERT_FALSE(store->add_points(*points));
  EXPECT_EQ(store->plans()->front().name, name);
  EXPECT_EQ(store->plans()->front().text, hostile);
  EXPECT_EQ(store->counts(name)->all(), 1);
  EXPECT_EQ(store->counts(hostile)->all(), 0);
  const auto rows = store->rows(name);
  ASSERT_EQ(rows->size(), 1U);
  for (const auto& text :
       {rows->front().machine, rows->front().layer, rows->front().run, rows->front().found.error})
    EXPECT_EQ(text, hostile);
  EXPECT_TRUE(store->rows("other' OR '1'='1")->empty());
}

inline void expect_unfinished_work_seen(const Opener& open) {
  const auto store = open(StoreUse::create);
  EXPECT_FALSE(*store->has_unfinished());
  const auto work = some_work(1);
  ASSERT_FALSE(store->add_plan({"plan", "", ""}, work.points, work.rows));
  EXPECT_TRUE(*store->has_unfinished());
  const auto claimed = store->claim("me", 1, 60);
  ASSERT_EQ(claimed->size(), 1U);
  EXPECT_TRUE(*store->has_unfinished());
  EXPECT_TRUE(*store->finish("me", claimed->front().id, result_of(claimed->front())));
  EXPECT_FALSE(*store->has_unfinished());
}

/// Points of a lost worker are claimed one by one. If one of them crashes its worker again, the others are
/// not affected.
inline void expect_lost_points_claimed_one_by_one(const Opener& open) {
  const auto store = open(StoreUse::create);
  const auto work = some_work(10);
  ASSERT_FALSE(store->add_plan({"plan", "", ""}, work.points, work.rows));
  ASSERT_EQ(store->claim("lost", 4, -1)->size(), 4U);
  for (int i = 0; i < 4; ++i) {
    const auto claimed = store->claim("next", 8, 60);
    ASSERT_EQ(claimed->size(), 1U);
    EXPECT_EQ(claimed->front().attempts, 2);
  }
  EXPECT_EQ(store->claim("next", 8, 60)->size(), 6U);
}

inline void expect_some_points_put_back(const Opener& open) {
  const auto store = open(StoreUse::create);
  const auto work = some_work(4);
  ASSERT_FALSE(store->add_plan({"plan", "", ""}, work.points, work.rows));
  const auto claimed = store->claim("me", 3, 60);
  ASSERT_EQ(claimed->size(), 3U);
  const std::vector<Int> back = {(*claimed)[1].id, (*claimed)[2].id};
  ASSERT_FALSE(store->put_back_some("other", back));  // `other` does not own these points
  EXPECT_EQ(store->counts("")->running, 3);
  ASSERT_FALSE(store->put_back_some("me", back));
  EXPECT_EQ(store->counts("")->running, 1);
  const std::vector<FinishedPoint> finished = {{(*claimed)[0].id, {}}, {(*claimed)[1].id, {}}};
  EXPECT_EQ(*store->finish_all("me", finished), 1);  // the other point now belongs to another worker
  const auto again = store->claim("next", 10, 60);
  EXPECT_EQ(again->size(), 3U);
  const auto points = store->points(0, 10);
  ASSERT_TRUE(points);
  for (const auto& point : *points) EXPECT_EQ(point.attempts, 1);
}

/// Points that are put back and come before the last claimed point are claimed again.
inline void expect_points_behind_claimed(const Opener& open) {
  const auto store = open(StoreUse::create);
  const auto other = open(StoreUse::existing);
  const auto work = some_work(6);
  ASSERT_FALSE(store->add_plan({"plan", "", ""}, work.points, work.rows));
  ASSERT_EQ(other->claim("other", 3, 60)->size(), 3U);
  ASSERT_EQ(store->claim("me", 2, 60)->size(), 2U);
  ASSERT_FALSE(other->put_back("other"));
  Int claimed = 0;
  for (int i = 0; i < 4 && claimed < 4; ++i) claimed += static_cast<Int>(store->claim("me", 4, 60)->size());
  EXPECT_EQ(claimed, 4);
  EXPECT_TRUE(store->claim("me", 4, 60)->empty());
  EXPECT_EQ(store->counts("")->running, 6);
}

/// Points with every kind of value are copied to `other` unchanged. A second copy changes nothing.
inline void expect_copied(const Opener& open, const Opener& other) {
  const auto from = open(StoreUse::create);
  const auto work = some_work(5);
  ASSERT_FALSE(from->add_plan({"plan", "d", "t"}, work.points, work.rows));
  const auto claimed = from->claim("me", 4, 60);
  ASSERT_EQ(claimed->size(), 4U);
  auto result = result_of(claimed->front());
  result.objective = 0.1;
  result.lower_bound = 1e-300;
  result.energy = 123456789012345680.0;
  result.seconds = 0.25;
  EXPECT_TRUE(*from->finish("me", (*claimed)[0].id, result));
  result = {};
  result.error = "no mapping";
  EXPECT_TRUE(*from->finish("me", (*claimed)[1].id, result));
  EXPECT_TRUE(*from->finish("me", (*claimed)[2].id, {}));

  const auto to = other(StoreUse::create);
  ASSERT_FALSE(to->add_points(*from->points(0, 2)));
  const auto second = from->points(0, 2)->back().id;
  ASSERT_FALSE(to->add_points(*from->points(second, 100)));
  const auto same = [](const StoredPoint& a, const StoredPoint& b) {
    EXPECT_EQ(a.key, b.key);
    EXPECT_EQ(a.inputs, b.inputs);
    EXPECT_EQ(a.state == "running" ? "todo" : a.state, b.state);
    EXPECT_EQ(a.found.error, b.found.error);
    EXPECT_EQ(a.found.status, b.found.status);
    EXPECT_EQ(a.found.objective, b.found.objective);
    EXPECT_EQ(a.found.lower_bound, b.found.lower_bound);
    EXPECT_EQ(a.found.latency, b.found.latency);
    EXPECT_EQ(a.found.energy, b.found.energy);
    EXPECT_EQ(a.found.seconds, b.found.seconds);
    EXPECT_EQ(a.found.result, b.found.result);
  };
  const auto before = from->points(0, 100);
  const auto after = to->points(0, 100);
  ASSERT_EQ(before->size(), 5U);
  ASSERT_EQ(after->size(), 5U);
  for (std::size_t i = 0; i < 5; ++i) same((*before)[i], (*after)[i]);
  EXPECT_EQ(to->counts("")->done, 2);
  EXPECT_EQ(to->counts("")->failed, 1);

  // Points finished here stay. Points finished only in the source are copied.
  const auto mine = to->claim("here", 1, 60);
  ASSERT_EQ(mine->size(), 1U);
  result = {};
  result.status = "mine";
  EXPECT_TRUE(*to->finish("here", mine->front().id, result));
  ASSERT_FALSE(to->add_points(*before));
  EXPECT_EQ((*to->points(0, 100))[3].found.status, "mine");
  ASSERT_FALSE(from->add_points(*to->points(0, 100)));  // the store's own claim is unaffected
  EXPECT_EQ(from->counts("")->running, 1);
}

}  // namespace nestor::io
