/** The checks of `npm run check`, in the order they run. */
import { GENERATED_DOCUMENTS } from '../reference/documents.ts';
import { libraryDeclarations } from '../package/library-declarations.ts';
import { ONE_CHECKER } from '../run/go-tools.ts';
import { checkApi } from './check-api.ts';
import { checkGenerated } from './check-generated.ts';
import { checkCitations } from './documents/check-citations.ts';
import { checkCode } from './documents/check-code.ts';
import { checkDocuments } from './documents/check-documents.ts';
import { checkIndex } from './documents/check-index.ts';
import { checkWording } from './documents/check-wording.ts';
import { checkLockFile } from './check-lock-file.ts';
import { checkParts } from './check-parts.ts';
import { checkImports } from './imports/check-imports.ts';
import { IMPORT_RULES } from './imports/rules.ts';
import type { CheckOutcome } from './outcome.ts';
import { runTool } from './run-tool.ts';
import { checkSupplyChain } from './supply-chain/check-supply-chain.ts';
import { INSTALL_SCRIPTS, LICENCES, UNNAMED_LICENCES } from './supply-chain/rules.ts';

export interface Check {
  readonly name: string;
  run(): CheckOutcome;
}

/** Compiles the messages of the app to functions, because the other checks read the generated code. */
function compileMessages(): CheckOutcome {
  const { faults } = runTool('tsx', ['tools/run/messages.ts'], () => '');
  return { looked: 'compiled', faults };
}

/** Runs `tsc` on everything, then on the library alone, without the types of Node. */
function checkTypes(): CheckOutcome {
  const files = (output: string) => /^Files:\s+(\d+)/m.exec(output)?.[1];
  const runs = ['tsconfig.json', 'tsconfig.library.json'].map((config) =>
    runTool(
      'tsc',
      ['-p', config, '--noEmit', '--diagnostics', ONE_CHECKER],
      (output) => files(output) && `${files(output)} files`,
    ),
  );
  return {
    looked: runs.map(({ looked }) => looked).join(' and '),
    // tsc prints figures of its own run as well.
    faults: [...new Set(runs.flatMap(({ faults }) => faults))].filter(
      (line) => !/^\w[\w ]*:\s+[\d.]+[Ks]?$/.test(line),
    ),
  };
}

const checkLint = () =>
  runTool(
    'oxlint',
    ['--type-aware', '--deny-warnings', '--report-unused-disable-directives'],
    (output) => /on (\d+ files with \d+ rules)/.exec(output)?.[1],
  );

const checkFormat = () => runTool('oxfmt', ['--check'], (output) => /on (\d+ files)/.exec(output)?.[1]);

/**
 * Runs knip on everything, then on the code without its tests. It prints nothing without a finding. A pattern of its
 * configuration that matches no file is a fault too.
 */
function checkDeadCode(): CheckOutcome {
  const runs = [[], ['--production', '--config', 'tools/checks/knip-production.jsonc']].map((options) =>
    runTool('knip', ['--no-progress', '--treat-config-hints-as-errors', ...options], (output) =>
      output === '' ? 'no unused file, export or dependency' : 'something is unused',
    ),
  );
  return {
    looked: runs.map(({ looked }) => looked).join('; without tests: '),
    faults: [...new Set(runs.flatMap(({ faults }) => faults))],
  };
}

export const CHECKS: readonly Check[] = [
  { name: 'messages', run: compileMessages },
  { name: 'types', run: checkTypes },
  { name: 'lint', run: checkLint },
  { name: 'format', run: checkFormat },
  { name: 'dead code', run: checkDeadCode },
  { name: 'lock file', run: () => checkLockFile('.') },
  {
    name: 'supply chain',
    run: () =>
      checkSupplyChain('.', {
        installScripts: INSTALL_SCRIPTS,
        licences: LICENCES,
        unnamedLicences: UNNAMED_LICENCES,
      }),
  },
  { name: 'imports', run: () => checkImports('.', IMPORT_RULES) },
  { name: 'parts', run: () => checkParts('.') },
  { name: 'documents', run: () => checkDocuments('.') },
  { name: 'code blocks', run: checkCode },
  { name: 'index', run: () => checkIndex('.') },
  { name: 'citations', run: () => checkCitations('.') },
  { name: 'wording', run: () => checkWording('.') },
  { name: 'api', run: () => checkApi('.', libraryDeclarations) },
  { name: 'generated', run: () => checkGenerated('.', GENERATED_DOCUMENTS) },
];
