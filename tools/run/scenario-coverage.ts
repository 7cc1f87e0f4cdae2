/** Checks all scenarios of the package together: their faults, messages and end results. */
import { parse } from 'yaml';
import { END_RESULTS } from '../../src/protocol/enumerations.ts';
import { MESSAGE_NAMES } from '../../sim/scenario/format/messages.ts';
import type { Scenario } from '../../sim/scenario/format/tree.ts';
import type { CaseResult } from '../../sim/scenario/run/run-scenario.ts';

/** The faults by id: those that scenarios show, and those that none can, with the reason (specs/faults.yaml). */
export interface FaultCatalogue {
  readonly faults: Readonly<Record<string, string>>;
  readonly elsewhere: Readonly<Record<string, string>>;
}

export const readFaultCatalogue = (text: string): FaultCatalogue => parse(text) as FaultCatalogue;

/** Messages that do not use a realtime channel. */
const NOT_ON_THE_CHANNEL: readonly string[] = ['dial_rcv_ack', 'invitation_receive', 'invitation_receive_ack'];
/** Messages that the library does not send: it releases an endpoint whose participant is gone. */
const NOT_SENT: readonly string[] = ['endpoint_detach', 'endpoint_detach_ack'];
/** Messages without a call. */
const NOT_OF_CALLS: readonly string[] = ['log_level'];

/** The gaps, in words. Empty when there are none. */
export interface SuiteGaps {
  /** Faults without a tagged scenario. */
  readonly faults: readonly string[];
  /** Tags of scenarios that are no fault of the catalogue, or one that other tests cover. */
  readonly strayFaults: readonly string[];
  /** Types of messages that no trace has. */
  readonly messages: readonly string[];
  /** Results that are neither on any wire nor expected by any step. */
  readonly results: readonly string[];
}

/**
 * Finds the gaps.
 *
 * @param traces - of the cases that passed.
 */
export function gapsOf(
  scenarios: readonly Pick<Scenario, 'scenario' | 'tags' | 'steps'>[],
  traces: readonly Pick<CaseResult, 'trace'>[],
  { faults, elsewhere }: FaultCatalogue,
): SuiteGaps {
  const tagged = scenarios.flatMap(({ scenario, tags }) =>
    tags.filter((tag) => /^F\d+$/.test(tag)).map((id) => ({ id, scenario })),
  );
  const events = traces.flatMap(({ trace }) => trace);
  const seen = new Set(events.flatMap((event) => (event.kind === 'message' ? [event.cmd] : [])));
  // The wire has the results of calls, except of calls that end on one side only. The steps, which passed, have those.
  const text = JSON.stringify(scenarios.map(({ steps }) => steps)) + JSON.stringify(events.map(endResultOf));
  return {
    faults: Object.keys(faults).filter((id) => !tagged.some((tag) => tag.id === id)),
    strayFaults: tagged
      .filter(({ id }) => !(id in faults))
      .map(({ id, scenario }) => `${id} of ${scenario}${id in elsewhere ? ', which is shown elsewhere' : ''}`),
    messages: MESSAGE_NAMES.filter(
      (name) => !seen.has(name) && ![...NOT_ON_THE_CHANNEL, ...NOT_SENT, ...NOT_OF_CALLS].includes(name),
    ),
    results: END_RESULTS.filter((result) => !text.includes(`"${result}"`)),
  };
}

/** Returns the result of a call, if the event has one. */
function endResultOf(event: CaseResult['trace'][number]): unknown {
  if (event.kind === 'message') return (event.payload as { end_result?: unknown } | null | undefined)?.end_result;
  if (event.kind !== 'http') return undefined;
  return (event.body as { summary_data?: { end_result?: unknown } } | null | undefined)?.summary_data?.end_result;
}
