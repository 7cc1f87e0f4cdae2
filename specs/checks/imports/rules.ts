/** The imports between modules. A module is a folder, and may import itself. Every import that is not listed is forbidden. */

export interface ImportRule {
  /** The module: every file below this folder, except those of a deeper module of this table. */
  readonly module: string;
  /** The modules that it may import, with the modules inside them. */
  readonly mayImport: readonly string[];
  readonly because: string;
}

export const IMPORT_RULES: readonly ImportRule[] = [
  {
    module: 'fixtures',
    mayImport: [],
    because: 'it is the input of tests and of the demo world, and depends on no code',
  },
  {
    module: 'fixtures/scenarios',
    mayImport: ['sim/scenario/builder'],
    because: 'a scenario in TypeScript uses the builder alone, as scenarios outside this repository do',
  },
  {
    module: 'src/protocol',
    mayImport: [],
    because: 'client and server share the wire protocol, and it depends on neither',
  },
  {
    module: 'src/calls',
    mayImport: ['src/protocol'],
    because: 'the library must run in any page, with or without our app',
  },
  {
    module: 'src/app',
    mayImport: ['src/calls', 'src/protocol'],
    because: 'the app is a host of the library like any other, and meets the exchange on the wire alone',
  },
  {
    module: 'src/app/gallery',
    mayImport: ['src/app', 'src/calls', 'src/protocol', 'fixtures'],
    because: 'it shows the screens of the app without a server, and the built app does not contain it',
  },
  {
    module: 'src/inspector',
    mayImport: ['src/protocol'],
    because: 'it shows the state of the exchange, not the state of a client',
  },
  {
    module: 'sim/budgets',
    mayImport: ['src/protocol'],
    because: 'it states the cost of inputs, and the parts of the server that enforce it import it',
  },
  {
    module: 'sim/exchange',
    mayImport: ['src/protocol', 'sim/store', 'sim/budgets'],
    because: 'the exchange has its own logic, so that a fault in it or in the library is visible to the other',
  },
  {
    module: 'sim/virtual',
    mayImport: ['src/protocol', 'src/calls', 'sim', 'fixtures'],
    because: 'it runs the library against the exchange in virtual time',
  },
  {
    module: 'sim/scenario',
    mayImport: ['src/protocol', 'src/calls', 'sim', 'fixtures'],
    because: 'its worlds run the library against the exchange',
  },
  {
    module: 'sim/scripts',
    mayImport: ['src/protocol', 'sim/exchange', 'sim/scenario/format'],
    because: 'the exchange plays a script to any client, over any transport and in any time',
  },
  {
    module: 'sim',
    mayImport: ['src/protocol', 'sim', 'fixtures'],
    because: 'the exchange meets the library on the wire alone',
  },
  {
    module: 'cli/worlds/browser/page',
    mayImport: ['src/calls', 'sim/scenario'],
    because: 'it runs in a page, without Node and without the exchange',
  },
  {
    module: 'cli',
    mayImport: ['src/calls', 'src/protocol', 'sim', 'cli', 'fixtures'],
    because: 'the terminal is a host of the library and starts the exchange',
  },
];
