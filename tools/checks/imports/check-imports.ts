/**
 * Fails on an import that the rules forbid, on one that does not resolve, on any cycle of files, and on cycles between
 * the folders of some modules. Types are included.
 */
import type { CheckOutcome } from '../outcome.ts';
import { findCycles, findFolderCycles } from './cycles.ts';
import { type Edge, readImportGraph } from './import-graph.ts';
import { LAYERED, type ImportRule } from './rules.ts';

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
  const target = moduleOf(rules, to);
  if (target === rule || target?.isCommon || rule.mayImport.some((module) => isBelow(to, module))) return undefined;
  const allowed = rule.mayImport.length === 0 ? 'nothing else of ours' : rule.mayImport.join(', ');
  return `${from}:${line}: imports ${to}, but ${rule.module} may import ${allowed}: ${rule.because}`;
}

/** Returns every folder that holds one of these files, directly or in a folder of it. */
function foldersOf(files: readonly string[]): string[] {
  const folders = new Set<string>();
  for (const file of files) {
    for (let end = file.lastIndexOf('/'); end > 0; end = file.lastIndexOf('/', end - 1))
      folders.add(file.slice(0, end));
  }
  return [...folders].toSorted();
}

export function checkImports(root: string, rules: readonly ImportRule[]): CheckOutcome {
  const { files, edges, faults } = readImportGraph(root, FOLDERS);
  const knotted = foldersOf(files).filter(
    (folder) => !LAYERED.includes(folder) && findFolderCycles(edges, folder).length > 0,
  );
  const elsewhere = knotted.length === 0 ? '' : `; folders still import each other in ${knotted.join(', ')}`;
  return {
    looked: `${files.length} files, ${edges.length} edges${elsewhere}`,
    faults: [
      ...(files.length === 0 ? [`no source file in ${FOLDERS.join(', ')}: nothing was checked`] : []),
      ...(files.length > 0 && edges.length === 0 ? ['no import between our files was found: nothing was checked'] : []),
      ...faults,
      ...files
        .filter((file) => !moduleOf(rules, file))
        .map((file) => `${file}: is in no module of tools/checks/imports/rules.ts`),
      ...edges.map((edge) => edgeFault(rules, edge)).filter((fault) => fault !== undefined),
      ...findCycles(edges).map((cycle) => `import cycle: ${cycle.join(' -> ')}`),
      ...LAYERED.flatMap((folder) => findFolderCycles(edges, folder)).map(
        (cycle) => `folders import each other: ${cycle.join(' -> ')}`,
      ),
    ],
  };
}
