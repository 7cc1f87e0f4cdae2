/** Fails on an import that the rules forbid, on one that does not resolve, and on any cycle, types included. */
import type { CheckOutcome } from '../outcome.ts';
import { findCycles } from './cycles.ts';
import { type Edge, readImportGraph } from './import-graph.ts';
import type { ImportRule } from './rules.ts';

/** The folders with the sources to read. */
const FOLDERS = ['src', 'sim', 'cli', 'fixtures'];

const isBelow = (file: string, folder: string) => file.startsWith(`${folder}/`);

function moduleOf(rules: readonly ImportRule[], file: string): ImportRule | undefined {
  const modules = rules.filter(({ module }) => isBelow(file, module));
  return modules.toSorted((a, b) => b.module.length - a.module.length)[0];
}

function edgeFault(rules: readonly ImportRule[], { from, to, line }: Edge): string | undefined {
  const rule = moduleOf(rules, from);
  if (!rule) return undefined;
  if (moduleOf(rules, to) === rule || rule.mayImport.some((module) => isBelow(to, module))) return undefined;
  const allowed = rule.mayImport.length === 0 ? 'nothing else of ours' : rule.mayImport.join(', ');
  return `${from}:${line}: imports ${to}, but ${rule.module} may import ${allowed}: ${rule.because}`;
}

export function checkImports(root: string, rules: readonly ImportRule[]): CheckOutcome {
  const { files, edges, faults } = readImportGraph(root, FOLDERS);
  return {
    looked: `${files.length} files, ${edges.length} edges`,
    faults: [
      ...(files.length === 0 ? [`no source file in ${FOLDERS.join(', ')}: nothing was checked`] : []),
      ...(files.length > 0 && edges.length === 0 ? ['no import between our files was found: nothing was checked'] : []),
      ...faults,
      ...files
        .filter((file) => !moduleOf(rules, file))
        .map((file) => `${file}: is in no module of tools/checks/imports/rules.ts`),
      ...edges.map((edge) => edgeFault(rules, edge)).filter((fault) => fault !== undefined),
      ...findCycles(edges).map((cycle) => `import cycle: ${cycle.join(' -> ')}`),
    ],
  };
}
