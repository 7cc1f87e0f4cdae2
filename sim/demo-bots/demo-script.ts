import { DEMO_BOTS, type CallManner } from '../../fixtures/demo-bots.ts';
import type { WrittenScript } from '../scripts/format/tree.ts';

type Reactions = NonNullable<WrittenScript['people']>[string];

/** The reactions of each manner, as in a server script. */
const REACTIONS: Readonly<Record<CallManner, Reactions>> = {
  accepts: [{ on: 'called', after: '3s', do: 'accept' }],
  declines: [{ on: 'called', after: '4s', do: 'decline' }],
  'rings-out': [{ on: 'called', do: 'ignore' }],
  'hangs-up': [
    { on: 'called', after: '2s', do: 'accept' },
    { on: 'connected', after: '20s', do: 'end' },
  ],
};

/** A server script with the manners of the people of the demo world. */
export const demoScript: WrittenScript = {
  script: 'town',
  about: 'the people of the demo world: most accept, some decline, never answer or hang up',
  people: Object.fromEntries(Object.entries(DEMO_BOTS).map(([uId, { call }]) => [uId, REACTIONS[call]])),
};
