/** Reads which scripts an exchange plays, and creates the peers that play them. */
import { isLoopback } from '../../sim/server/allowed-hosts.ts';
import type { ScriptOptions } from '../../sim/server/start-sim.ts';
import { CommandError } from '../command-error.ts';
import type { ScriptCommandOptions } from '../commands/server-options.ts';
import { EXIT } from '../exit-codes.ts';
import { nodeClock } from '../../sim/server/node-ports.ts';
import { createMediaPeers, type Parties } from '../headless/media-peers.ts';
import { processOutput } from '../process-output.ts';
import { writeLine } from '../reporters/printable.ts';
import { soundScripts } from '../scripts/find-scripts.ts';

/** The scripts that an exchange plays, and the peers that play them. */
export interface Scripts {
  /** The settings for the exchange. Undefined when no script is played. */
  readonly options: ScriptOptions | undefined;
  readonly parties: Parties;
}

/**
 * Reads the script options of the command line.
 *
 * @param host - the address at which the exchange listens. On loopback, scripts are on unless an option turns them off.
 * @param isDemo - true in demo mode. Elsewhere than on loopback, scripts need demo mode and an option.
 * @throws CommandError when a script file is not valid, or when scripts are not allowed.
 */
export async function scriptsOf(
  { scripts, script }: ScriptCommandOptions,
  host: string,
  isDemo: boolean,
): Promise<Scripts> {
  const parties = createMediaPeers((line) => writeLine(processOutput.err, line), nodeClock);
  const arePlayed = scripts ?? (script !== undefined || isLoopback(host));
  if (arePlayed !== false && !isDemo && !isLoopback(host)) {
    throw new CommandError(
      'Scripts need a loopback address or demo mode: leave --host out, or add --demo.',
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
