/** Reads which scripts an exchange plays, and makes who plays them. */
import { isLoopback } from '../../sim/server/allowed-hosts.ts';
import type { ScriptOptions } from '../../sim/server/start-sim.ts';
import { CommandError } from '../command-error.ts';
import type { ScriptCommandOptions } from '../commands/script-options.ts';
import { EXIT } from '../exit-codes.ts';
import { createMediaPeers, type Parties } from '../headless/media-peers.ts';
import { processOutput } from '../process-output.ts';
import { soundScripts } from '../scripts/find-scripts.ts';

/** What an exchange plays, and who plays it. */
export interface Scripts {
  /** For the exchange; undefined where nothing is played. */
  readonly options: ScriptOptions | undefined;
  readonly parties: Parties;
}

/**
 * Reads what the command line says.
 *
 * @param host - where the exchange listens. On loopback scripts are played unless the options say otherwise.
 * @param isDemo - elsewhere scripts are played in demo mode only, and where the options ask for them.
 * @throws CommandError where a script file cannot be used, or a script is to be played where none may be.
 */
export async function scriptsOf(
  { scripts, script }: ScriptCommandOptions,
  host: string,
  isDemo: boolean,
): Promise<Scripts> {
  const parties = createMediaPeers((line) => processOutput.err.write(`${line}\n`));
  const arePlayed = scripts ?? (script !== undefined || isLoopback(host));
  if (arePlayed !== false && !isDemo && !isLoopback(host)) {
    throw new CommandError(
      'Scripts are played on this machine or in a demo: leave --host out, or add --demo.',
      EXIT.usage,
    );
  }
  if (arePlayed === false) {
    if (script !== undefined) throw new CommandError('--script needs scripts: leave --no-scripts out.', EXIT.usage);
    return { options: undefined, parties };
  }
  const own = arePlayed === true ? [] : await soundScripts(arePlayed);
  const options = { own, parties: parties.at, ...(script === undefined ? {} : { main: script }) };
  return { options, parties };
}
