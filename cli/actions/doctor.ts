/** The action of `ringback doctor`: checks this machine, the services of the environment, an exchange and a page. */
import { nodeClock } from '../../sim/server/node-ports.ts';
import { runChecks } from '../doctor/check.ts';
import { machineChecks } from '../doctor/machine-checks.ts';
import { serverChecks } from '../doctor/server-checks.ts';
import { serviceChecks } from '../doctor/service-checks.ts';
import { EXIT } from '../exit-codes.ts';
import { onInterrupt } from '../interrupt.ts';
import { processOutput } from '../process-output.ts';
import { printable } from '../reporters/printable.ts';
import { countStates, doctorLines, doctorSummary } from '../reporters/doctor.ts';

export interface DoctorOptions {
  readonly server?: string;
  readonly page?: string;
  readonly json?: boolean;
}

/** Runs the checks: of an exchange when one is named, else of this machine. Returns the exit code. */
export async function doctor({ server, page, json = false }: DoctorOptions): Promise<number> {
  const { out } = processOutput;
  const checks =
    server === undefined
      ? [...machineChecks(nodeClock), ...serviceChecks(process.env, nodeClock)]
      : serverChecks({ server, page }, nodeClock);
  const interrupted = new AbortController();
  const release = onInterrupt((count) => (count === 1 ? interrupted.abort() : process.exit(EXIT.interrupted)));
  try {
    const results = await runChecks(checks, {
      clock: nodeClock,
      signal: interrupted.signal,
      onResult(result) {
        if (!json) out.write(printable(doctorLines(result)));
      },
    });
    if (interrupted.signal.aborted) return EXIT.interrupted;
    const counts = countStates(results);
    out.write(
      json ? `${JSON.stringify({ ok: counts.fail === 0, counts, checks: results })}\n` : doctorSummary(results),
    );
    return counts.fail === 0 ? EXIT.ok : EXIT.environment;
  } finally {
    release();
  }
}
