// Solves an MPS or LP file with the npm package `highs` (HiGHS as WebAssembly), for machines without the `highs`
// program. Writes the solution in HiGHS's own format:
//
//   npm install highs
//   nestor compare ... --solver-command 'highs=node scripts/highs-solve.mjs {model} {solution} {seconds}'
//
// The package must be in the working folder or in NODE_PATH.
import { createRequire } from "node:module";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

const [, , model, solution, seconds = "60"] = process.argv;
if (!model || !solution) {
  console.error("usage: node highs-solve.mjs MODEL SOLUTION [SECONDS]");
  process.exit(2);
}
const require = createRequire(path.join(process.cwd(), "package.json"));
let load;
try {
  load = require("highs");
} catch {
  console.error("the npm package `highs` is not installed: run `npm install highs`");
  process.exit(127);
}
const highs = await load();
const problem = highs.createModel({ format: model.endsWith(".lp") ? "lp" : "mps", data: readFileSync(model) });
problem.options.set("time_limit", Number(seconds));
problem.options.set("mip_rel_gap", 0);
problem.options.set("mip_abs_gap", 0);
problem.run();
writeFileSync(solution, problem.exportSolution());
// The lines of HiGHS's report that `nestor compare` reads.
const status = problem.getModelStatus();
const names = highs.constants.modelStatus;
console.log("Solving report");
console.log(`  Status            ${Object.keys(names).find((name) => names[name] === status)}`);
if (status === names.optimal) console.log("HiGHS Status: Optimal");
if (status === names.timeLimit) console.log("Time limit reached");
console.log(`  Dual bound        ${problem.info.get("mip_dual_bound")}`);
if (status === names.infeasible) console.log("Infeasible\n");
