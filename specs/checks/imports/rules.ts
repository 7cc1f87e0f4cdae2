/** Which room of the house may import which. A room may always import itself; what is not listed is forbidden. */

export interface ImportRule {
  /** The room: every file below this folder, but for those of a deeper room of this table. */
  readonly room: string;
  /** The rooms it may import, the rooms inside them included. */
  readonly mayImport: readonly string[];
  readonly because: string;
}

export const IMPORT_RULES: readonly ImportRule[] = [
  {
    room: 'fixtures',
    mayImport: [],
    because: 'it is what tests and the demo world are fed, and knows nobody',
  },
  {
    room: 'fixtures/scenarios',
    mayImport: ['sim/scenario/builder'],
    because: 'a scenario in TypeScript is told to the builder, as those of other people are, and knows nothing else',
  },
  {
    room: 'src/protocol',
    mayImport: [],
    because: 'the wire is shared by client and server and knows neither',
  },
  {
    room: 'src/calls',
    mayImport: ['src/protocol'],
    because: 'the library must run in any page, with or without our app',
  },
  {
    room: 'src/app',
    mayImport: ['src/calls', 'src/protocol'],
    because: 'the app is a host of the library like any other, and meets the exchange on the wire alone',
  },
  {
    room: 'src/app/gallery',
    mayImport: ['src/app', 'src/calls', 'src/protocol', 'fixtures'],
    because: 'it shows the screens of the app with nothing behind them, and is no part of the built app',
  },
  {
    room: 'src/inspector',
    mayImport: ['src/protocol'],
    because: 'it shows what the exchange sees, not what a client believes',
  },
  {
    room: 'sim/budgets',
    mayImport: ['src/protocol'],
    because: 'it states what inputs may cost, and the parts of the server that enforce it import it',
  },
  {
    room: 'sim/exchange',
    mayImport: ['src/protocol', 'sim/store', 'sim/budgets'],
    because: 'the exchange decides by its own logic, so that it and the library keep each other honest',
  },
  {
    room: 'sim/virtual',
    mayImport: ['src/protocol', 'src/calls', 'sim', 'fixtures'],
    because: 'it runs the library against the exchange in virtual time',
  },
  {
    room: 'sim/scenario',
    mayImport: ['src/protocol', 'src/calls', 'sim', 'fixtures'],
    because: 'its worlds run the library against the exchange',
  },
  {
    room: 'sim/scripts',
    mayImport: ['src/protocol', 'sim/exchange', 'sim/scenario/format'],
    because: 'a script is played to whoever comes, on any wire and in any time',
  },
  {
    room: 'sim',
    mayImport: ['src/protocol', 'sim', 'fixtures'],
    because: 'the exchange meets the library on the wire alone',
  },
  {
    room: 'cli/worlds/browser/page',
    mayImport: ['src/calls', 'sim/scenario'],
    because: 'it runs in a page, which has neither Node nor the exchange',
  },
  {
    room: 'cli',
    mayImport: ['src/calls', 'src/protocol', 'sim', 'cli', 'fixtures'],
    because: 'the terminal is a host of the library and starts the exchange',
  },
];
