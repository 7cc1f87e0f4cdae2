import { expect, it } from 'vitest';
import type { CallCommands } from '../../../src/calls/direct-call/call-commands.ts';
import { connectedReport } from '../../../src/calls/direct-call/connected-report.ts';
import type { StatsSource } from '../../../src/calls/stats/stats-report.ts';
import { chromiumReport } from './stats-reports.ts';

const turn = () => new Promise((resolve) => void setImmediate(resolve));

function reported() {
  const sent: [type: string, reconnect: boolean][] = [];
  const answers: ((isHeard: boolean) => void)[] = [];
  const report = connectedReport({
    connected: ({ connection_type }: Parameters<CallCommands['connected']>[0], reconnect: boolean) => {
      sent.push([connection_type, reconnect]);
      return new Promise<boolean>((resolve) => void answers.push(resolve));
    },
  });
  const paths: (() => void)[] = [];
  /** A connection whose statistics come when the test says so. */
  const connection: StatsSource = {
    getStats: () => new Promise((resolve) => void paths.push(() => resolve(chromiumReport()))),
  };
  return { sent, answers, report, connection, path: () => paths.shift()?.() };
}

it('DC-34: a report waits for its path, and is repeated until the exchange has heard it', async () => {
  const { sent, answers, report, connection, path } = reported();
  report.now();
  report.send(connection, false);
  await turn();
  expect(sent).toEqual([]);
  path();
  await turn();
  expect(sent).toHaveLength(1);
  report.now();
  expect(sent).toHaveLength(2);
  // The answer to the first of two sends is late: the second is still open.
  answers[0]?.(true);
  await turn();
  report.now();
  expect(sent).toHaveLength(3);
  answers[2]?.(true);
  await turn();
  report.now();
  expect(sent).toHaveLength(3);
});

it('DC-34: a report whose path does not come is sent without it, once, and the path is dropped', async () => {
  const { sent, answers, report, connection, path } = reported();
  report.send(connection, true);
  report.now();
  expect(sent).toEqual([['unknown', true]]);
  answers[0]?.(true);
  path();
  await turn();
  report.now();
  expect(sent).toHaveLength(1);
});

it('DC-34: a report that the exchange refused or missed is repeated as it was', async () => {
  const { sent, answers, report, connection, path } = reported();
  report.send(connection, true);
  path();
  await turn();
  report.now();
  answers[0]?.(false);
  await turn();
  report.now();
  expect(sent).toEqual(Array.from({ length: 3 }, () => ['relay', true]));
});
