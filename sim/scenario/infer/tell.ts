import type { Channels, Fact } from './facts.ts';
import type { People } from './people.ts';
import { tellCommand } from './tell-command.ts';
import { tellRequest } from './tell-request.ts';
import { tellSignal } from './tell-signal.ts';
import { Telling } from './telling.ts';

/** Returns the story of the facts: actions and observations. Faults are inferred separately. */
export function tell(facts: readonly Fact[], people: People, channels: Channels): Telling {
  const telling = new Telling(people, channels);
  for (const fact of facts) {
    if (fact.kind === 'command') tellCommand(telling, fact);
    else if (fact.kind === 'signal') tellSignal(telling, fact);
    else if (fact.kind === 'request') tellRequest(telling, fact);
  }
  return telling;
}
