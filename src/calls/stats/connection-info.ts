import type { CommandPayload } from '../../protocol/messages/commands.ts';
import { readTransport } from './read-transport.ts';
import { StatsEntries, type StatsReport, type StatsSource } from './stats-report.ts';

/** How media travels, as the `connected` command tells the exchange (§3). */
export type ConnectionInfo = CommandPayload<'connected'>['connection'];

/** The path of the candidate pair in use; `unknown` where the engine names none. */
export function connectionInfo(report: StatsReport): ConnectionInfo {
  const { candidateType, relayProtocol, protocol } = readTransport(new StatsEntries(report));
  return { connection_type: candidateType ?? 'unknown', relay_protocol: relayProtocol, protocol };
}

/** The information without a known media path. */
export const UNKNOWN_PATH: ConnectionInfo = { connection_type: 'unknown', relay_protocol: null, protocol: null };

/** Asks a connection for its path; one that gives no statistics has an unknown path. Never rejects. */
export async function readConnectionInfo(connection: StatsSource): Promise<ConnectionInfo> {
  try {
    return connectionInfo(await connection.getStats());
  } catch {
    return UNKNOWN_PATH;
  }
}
