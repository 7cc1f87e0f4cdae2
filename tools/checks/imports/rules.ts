/**
 * The permitted imports between modules. A module may always import itself. Any import that is not listed is forbidden.
 */

export interface ImportRule {
  /** The module: every file below this folder, except those of a deeper module of this table. */
  readonly module: string;
  /** The modules it may import, with the modules inside them. */
  readonly mayImport: readonly string[];
  /** True when every module may import it. Default: false. */
  readonly isCommon?: boolean;
  readonly because: string;
}

/** The folders whose own folders must not import each other in a cycle. */
export const LAYERED: readonly string[] = ['src/app', 'src/calls', 'src/react', 'src/ui', 'sim'];

export const IMPORT_RULES: readonly ImportRule[] = [
  {
    module: 'fixtures',
    mayImport: [],
    because: 'tests and the demo read it, and it depends on neither',
  },
  {
    module: 'fixtures/scenarios',
    mayImport: ['sim/scenario/builder'],
    because: 'a scenario in TypeScript uses the builder alone, as scenarios of other projects do',
  },
  {
    module: 'src/common',
    mayImport: [],
    isCommon: true,
    because: 'client and server share what has nothing to do with calls, such as the clock',
  },
  {
    module: 'src/protocol',
    mayImport: [],
    because: 'client and server share the wire, which depends on neither',
  },
  {
    module: 'src/calls',
    mayImport: ['src/calls', 'src/protocol'],
    because: 'the library runs in any page, with or without our app',
  },
  {
    module: 'src/trace',
    mayImport: ['src/protocol'],
    because: 'a page draws traces too, of any program: the tables of its machines are passed in',
  },
  {
    module: 'src/calls/platform',
    mayImport: ['src/protocol'],
    because: 'ports come before every part of the library',
  },
  {
    module: 'src/calls/logging',
    mayImport: ['src/calls/platform', 'src/protocol'],
    because: 'every part writes to the log, which knows none',
  },
  {
    module: 'src/calls/machine',
    mayImport: ['src/calls/platform'],
    because: 'it drives any table, and knows none',
  },
  {
    module: 'src/calls/rest',
    mayImport: ['src/calls/logging', 'src/calls/platform', 'src/protocol'],
    because: 'it sends requests for every part',
  },
  {
    module: 'src/calls/host',
    mayImport: ['src/calls/logging', 'src/calls/rest', 'src/protocol'],
    because: 'direct calls and rooms share it, so it knows neither',
  },
  {
    module: 'src/calls/realtime',
    mayImport: ['src/calls/logging', 'src/calls/platform', 'src/protocol'],
    because: 'it carries commands and signals for every part',
  },
  {
    module: 'src/calls/media',
    mayImport: ['src/calls/host', 'src/calls/logging', 'src/calls/platform', 'src/protocol'],
    because: 'direct calls and rooms share devices, recording and views',
  },
  {
    module: 'src/calls/peer',
    mayImport: ['src/calls/logging', 'src/calls/machine', 'src/calls/platform', 'src/calls/realtime', 'src/protocol'],
    because: 'it connects two ends, of a direct call or of a room',
  },
  {
    module: 'src/calls/stats',
    mayImport: ['src/calls/host', 'src/calls/logging', 'src/calls/platform', 'src/protocol'],
    because: 'it measures any connection',
  },
  {
    module: 'src/calls/connection',
    mayImport: ['src/calls/logging', 'src/calls/platform', 'src/calls/realtime', 'src/calls/rest', 'src/protocol'],
    because: 'a session carries direct calls and rooms, and knows neither',
  },
  {
    module: 'src/calls/direct-call',
    mayImport: [
      'src/calls/connection',
      'src/calls/host',
      'src/calls/logging',
      'src/calls/machine',
      'src/calls/media',
      'src/calls/peer',
      'src/calls/platform',
      'src/calls/realtime',
      'src/calls/rest',
      'src/calls/stats',
      'src/protocol',
    ],
    because: 'a direct call does not know the client that holds it',
  },
  {
    module: 'src/calls/room',
    mayImport: [
      'src/calls/connection',
      'src/calls/host',
      'src/calls/logging',
      'src/calls/machine',
      'src/calls/media',
      'src/calls/peer',
      'src/calls/platform',
      'src/calls/realtime',
      'src/calls/rest',
      'src/protocol',
    ],
    because: 'a room knows neither direct calls nor the client that holds it',
  },
  {
    module: 'src/calls/client',
    mayImport: ['src/calls', 'src/protocol'],
    because: 'the client joins the parts of the library',
  },
  {
    module: 'src/react',
    mayImport: ['src/ui/store'],
    because: 'a host passes the library to the binding, which knows only the shape of its public names',
  },
  {
    module: 'src/ui',
    mayImport: ['src/ui'],
    because: 'every app uses the components, and gives them their texts',
  },
  {
    module: 'src/ui/store',
    mayImport: [],
    because: 'components of every part follow stores, which know none',
  },
  {
    module: 'src/app',
    mayImport: ['src/app', 'src/ui', 'src/react', 'src/calls', 'src/protocol'],
    because: 'the app is a host application like any other, and reaches the server on the wire alone',
  },
  {
    module: 'src/app/core',
    mayImport: ['src/ui/store', 'src/calls', 'src/protocol'],
    because: 'ports, session, data and texts come before any screen, and know none',
  },
  {
    module: 'src/app/ui',
    mayImport: ['src/app/core', 'src/ui', 'src/protocol'],
    because: 'it gives the kit the texts and the data of the app, and knows no feature',
  },
  {
    module: 'src/app/services',
    mayImport: ['src/app/core', 'src/app/ui', 'src/app/features', 'src/ui', 'src/react', 'src/protocol'],
    because: 'it makes the services of all areas, and provides them to screens, which do not know it',
  },
  {
    module: 'src/app/features',
    mayImport: ['src/app/core', 'src/app/ui', 'src/ui', 'src/react', 'src/calls', 'src/protocol'],
    because: 'a feature does not know at which address it is shown',
  },
  {
    module: 'src/app/service-worker',
    mayImport: ['src/app/build', 'src/app/core', 'src/app/features/push', 'src/app/features/pwa', 'src/protocol'],
    because: 'it is a bundle of its own, without React',
  },
  {
    module: 'src/app/testing',
    mayImport: ['src/app', 'src/ui', 'src/react', 'src/calls', 'src/protocol', 'fixtures'],
    because: 'it shows the screens of the app without a server, and is no part of the built app',
  },
  {
    module: 'sim/budgets',
    mayImport: ['src/protocol'],
    because: 'it states what inputs may cost, and the parts of the server that enforce it import it',
  },
  {
    module: 'sim/http',
    mayImport: ['src/protocol', 'sim/budgets'],
    because: 'the exchange, the product and the server exchange requests and refusals of the same form',
  },
  {
    module: 'sim/exchange',
    mayImport: ['src/protocol', 'sim/budgets', 'sim/http'],
    because: 'the exchange decides by its own logic and through ports, so that it and the library check each other',
  },
  {
    module: 'sim/cluster',
    mayImport: ['src/protocol', 'sim/exchange'],
    because: 'it joins the exchanges of several nodes, over any shared state',
  },
  {
    module: 'sim/redis',
    mayImport: ['sim/cluster'],
    because: 'it is one shared state of a cluster',
  },
  {
    module: 'sim/store',
    mayImport: ['src/protocol', 'sim/exchange'],
    because: 'it implements the ports of the exchange, and keeps the tables of the product',
  },
  {
    module: 'sim/push',
    mayImport: ['src/protocol', 'sim/exchange'],
    because: 'it sends to devices what the exchange and the product give it',
  },
  {
    module: 'sim/media',
    mayImport: ['src/protocol', 'sim/budgets', 'sim/exchange'],
    because: 'it implements a port of the exchange, and enforces the budgets of media',
  },
  {
    module: 'sim/product',
    mayImport: [
      'src/protocol',
      'sim/budgets',
      'sim/cluster',
      'sim/exchange',
      'sim/http',
      'sim/push',
      'sim/store',
      'fixtures',
    ],
    because: 'accounts, people, chat and money use what the exchange decides, and know no socket',
  },
  {
    module: 'sim/format',
    mayImport: ['src/trace'],
    because: 'files of scenarios and of scripts write spans, references and places in the same way',
  },
  {
    module: 'sim/faults',
    mayImport: ['src/protocol', 'sim/format'],
    because: 'faults of messages are the same on any wire, in any time and in any world',
  },
  {
    module: 'sim/scripts',
    mayImport: ['src/protocol', 'sim/exchange', 'sim/faults', 'sim/format', 'sim/http'],
    because: 'a script is played to any client, on any wire and in any time',
  },
  {
    module: 'sim/demo-bots',
    mayImport: ['src/protocol', 'sim/exchange', 'sim/http', 'sim/product', 'sim/scripts', 'sim/store', 'fixtures'],
    because: 'bots are clients of the product, which does not know them',
  },
  {
    module: 'sim/virtual',
    mayImport: ['src/protocol', 'src/calls', 'sim', 'fixtures'],
    because: 'it runs the library against the exchange in virtual time',
  },
  {
    module: 'sim/scenario',
    mayImport: ['src/protocol', 'src/calls', 'src/trace', 'sim', 'fixtures'],
    because: 'its worlds run the library against the exchange',
  },
  {
    module: 'sim',
    mayImport: ['src/protocol', 'src/trace', 'sim', 'fixtures'],
    because: 'the server reaches the library on the wire alone',
  },
  {
    module: 'cli/worlds/browser/page',
    mayImport: ['src/calls', 'src/trace', 'sim/faults', 'sim/scenario', 'cli/headless/signals'],
    because: 'it runs in a page, which has neither Node nor the exchange',
  },
  {
    module: 'cli',
    mayImport: ['src/calls', 'src/protocol', 'src/trace', 'sim', 'cli', 'fixtures'],
    because: 'the terminal is a host application and starts the server',
  },
];
