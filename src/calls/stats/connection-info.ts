import type { CommandPayload } from '../../protocol/messages/commands.ts';
import { readTransport } from './read-transport.ts';
import { StatsEntries, type StatsReport, type StatsSource } from './stats-report.ts';

/** The path of media, as the `connected` command reports it to the exchange (§3). */
export type ConnectionInfo = CommandPayload<'connected'>['connection'];

/** Returns the path of the candidate pair in use. `unknown` when the engine reports none. */
export function connectionInfo(report: StatsReport): ConnectionInfo {
  const { candidateType, relayProtocol, protocol } = readTransport(new StatsEntries(report));
  return { connection_type: candidateType ?? 'unknown', relay_protocol: relayProtocol, protocol };
}

/** The information without a known media path. */
export const UNKNOWN_PATH: ConnectionInfo = { connection_type: 'unknown', relay_protocol: null, protocol: null };

/** Reads the path of a connection. It is unknown for a connection without statistics. Never rejects. */
export async function readConnectionInfo(connection: StatsSource): Promise<ConnectionInfo> {
  try {
    return connectionInfo(await connection.getStats());
  } catch {
    return UNKNOWN_PATH;
  }
}
