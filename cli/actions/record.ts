/**
 * The action of `ringback record`: forwards messages between clients and their server, and writes a scenario of them.
 */
import { printable } from '../reporters/printable.ts';
import { existsSync } from 'node:fs';
import { InvalidHar, readHar, type ReadHar } from '../../sim/record/read-har.ts';
import { readAtMost, unreadableWords } from '../scenarios/read-text.ts';
import { connect } from 'node:net';
import { dirname } from 'node:path';
import { type Upstream, websocketOf } from '../../sim/record/addresses.ts';
import { type Recorder, startRecorder } from '../../sim/record/start-recorder.ts';
import { nodeClock } from '../../sim/server/node-ports.ts';
import type { Timer } from '../../src/common/clock.ts';
import { CommandError } from '../command-error.ts';
import { EXIT } from '../exit-codes.ts';
import { untilInterrupted } from '../interrupt.ts';
import { listening } from '../listening.ts';
import { processOutput } from '../process-output.ts';
import { counted, newsOf, Tally } from '../recording/news.ts';
import { TraceFile } from '../recording/trace-file.ts';
import { writeScenario, type WrittenScenario } from '../recording/write-scenario.ts';
import { seconds } from '../reporters/format.ts';
import { makeOutputFolder } from '../scenarios/output-files.ts';

export interface RecordOptions {
  readonly upstream: string;
  readonly websocket?: string;
  readonly output: string;
  readonly trace?: string;
  readonly port: number;
  readonly for?: number;
}

/** Records. Returns the exit code. */
export async function record(options: RecordOptions): Promise<number> {
  const { out, err } = processOutput;
  const http = new URL(options.upstream);
  const upstream = {
    http,
    websocket: options.websocket === undefined ? websocketOf(http) : new URL(options.websocket),
  };
  const files = filesOf(options);
  await mustAnswer(upstream);
  const trace = openTrace(files.trace);
  const tally = new Tally();
  const stop = new Stop();
  const line = (text: string) => out.write(`${err.isTTY ? '\r\u001B[2K' : ''}${printable(text)}\n`);
  const recorder = await listening('--port', () =>
    startRecorder({
      upstream,
      port: options.port,
      clock: nodeClock,
      keep: (event) => {
        try {
          trace.write(event);
        } catch (error) {
          stop.because(new CommandError(`The trace cannot be written: ${wordsOf(error)}.`, EXIT.environment));
        }
        tally.count(event);
        const news = newsOf(event);
        if (news !== undefined) line(`${seconds(event.at).padStart(7)}  ${news}`);
        if (err.isTTY) err.write(`\r\u001B[2K${tally.text}`);
      },
    }),
  ).catch((error: unknown) => {
    trace.discard();
    throw error;
  });
  out.write(welcome(recorder, upstream, files));
  try {
    await stop.wait(options.for);
  } finally {
    await recorder.close();
    trace.close();
    if (err.isTTY) err.write('\r\u001B[2K');
  }
  const { elapsedMs, clients } = recorder;
  out.write(
    `recorded  ${tally.text} of ${counted(clients, 'client')} in ${seconds(elapsedMs)}\ntrace     ${files.trace}\n`,
  );
  return writeAndTell(trace, files.scenario, elapsedMs);
}

/**
 * Writes the scenario of an archive. Returns the exit code.
 *
 * @throws CommandError (usage) when the archive cannot be read, or stores no messages of the service.
 */
export async function recordFrom(archive: string, options: Pick<RecordOptions, 'output' | 'trace'>): Promise<number> {
  const { out } = processOutput;
  const files = filesOf(options);
  const { events, clients, elapsedMs, messages } = archiveOf(archive);
  if (messages === 0)
    throw new CommandError(
      `${archive} has no message of a realtime channel: export it from the network panel of Chromium, opened before the page.`,
      EXIT.usage,
    );
  const trace = openTrace(files.trace);
  for (const event of events) trace.write(event);
  trace.close();
  out.write(
    `read      ${counted(messages, 'message')} of ${counted(clients, 'client')} in ${seconds(elapsedMs)}\ntrace     ${files.trace}\n`,
  );
  return writeAndTell(trace, files.scenario, elapsedMs);
}

/** The largest archive, in bytes. */
const LARGEST_ARCHIVE = 256 * 1024 * 1024;

function archiveOf(file: string): ReadHar {
  let text: string;
  try {
    text = readAtMost(file, LARGEST_ARCHIVE).toString('utf8');
  } catch (error) {
    throw new CommandError(`The archive ${file} cannot be read: ${unreadableWords(error)}.`, EXIT.usage);
  }
  try {
    return readHar(text);
  } catch (error) {
    if (!(error instanceof InvalidHar)) throw error;
    throw new CommandError(`${file} ${error.message}.`, EXIT.usage);
  }
}

/** Writes the scenario of a trace, and prints the result. Returns the exit code. */
async function writeAndTell(trace: TraceFile, file: string, elapsedMs: number): Promise<number> {
  const written = await writeScenario(trace.events(), file, elapsedMs);
  if (!written) {
    processOutput.err.write('No call was made during the recording, so no scenario is written.\n');
    return EXIT.failed;
  }
  processOutput.out.write(printable(resultText(file, written)));
  return EXIT.ok;
}

/** Resolves when the recording is over: after Ctrl-C, after its duration, or when it cannot go on. */
class Stop {
  #fail: (error: Error) => void = () => undefined;
  readonly #failed = new Promise<void>((_, reject) => (this.#fail = reject));

  constructor() {
    // The promise may be settled already.
    this.#failed.catch(() => undefined);
  }

  /** Ends the recording with an error. The wait throws this CommandError. */
  async wait(ms: number | undefined): Promise<void> {
    let limit: Timer | undefined;
    const timeIsUp = new Promise<void>((resolve) => {
      if (ms !== undefined) limit = nodeClock.after(ms, resolve);
    });
    await Promise.race([untilInterrupted(), timeIsUp, this.#failed]).finally(() => limit?.cancel());
  }

  because(error: Error): void {
    this.#fail(error);
  }
}

interface Files {
  readonly scenario: string;
  readonly trace: string;
}

/** @throws CommandError (usage) when a file exists already. A recording never overwrites a file. */
function filesOf({ output, trace }: Pick<RecordOptions, 'output' | 'trace'>): Files {
  const files = { scenario: output, trace: trace ?? output.replace(/(\.ya?ml)?$/i, '.ndjson') };
  if (files.scenario === files.trace) throw new CommandError('The scenario and the trace need two files.', EXIT.usage);
  for (const [file, option] of [
    [files.scenario, '-o'],
    [files.trace, '--trace'],
  ] as const) {
    if (existsSync(file))
      throw new CommandError(`${file} exists already: name another file with ${option}.`, EXIT.usage);
    makeOutputFolder(dirname(file));
  }
  return files;
}

function openTrace(path: string): TraceFile {
  try {
    return new TraceFile(path);
  } catch (error) {
    throw new CommandError(`The trace cannot be written: ${wordsOf(error)}.`, EXIT.environment);
  }
}

const REACH_MS = 5_000;

/** @throws CommandError (environment) when no server listens at the addresses. */
async function mustAnswer({ http, websocket }: Upstream): Promise<void> {
  for (const url of http.host === websocket.host ? [http] : [http, websocket]) {
    const port = Number(url.port || (/^(?:https|wss):$/.test(url.protocol) ? 443 : 80));
    await new Promise<void>((resolve, reject) => {
      const socket = connect({ host: url.hostname.replace(/^\[(.*)\]$/, '$1'), port, timeout: REACH_MS });
      const failed = (why: string) => {
        socket.destroy();
        reject(
          new CommandError(`No server answers at ${url.origin} (${why}): is the server running?`, EXIT.environment),
        );
      };
      socket.once('connect', () => {
        socket.destroy();
        resolve();
      });
      socket.once('timeout', () => failed('no connection in time'));
      socket.once('error', (error: NodeJS.ErrnoException) => failed(error.code ?? error.message));
    });
  }
}

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

function welcome({ url }: Recorder, { http, websocket }: Upstream, files: Files): string {
  const ws = url.replace(/^http/, 'ws');
  return [
    `recorder  ${url}  forwards to ${http.href.replace(/\/+$/, '')}${http.host === websocket.host ? '' : ` and ${websocket.href}`}`,
    `point     ringback dial bob --as alice --server ${url}`,
    `          init(appId, '${url}', '${ws}')`,
    `writes    ${files.trace} during the recording, ${files.scenario} at its end`,
    'stop      Ctrl-C',
    '',
  ].join('\n');
}

function resultText(file: string, { steps, notes, failure }: WrittenScenario): string {
  return [
    `scenario  ${file}  ${counted(steps, 'step')}`,
    ...notes.map((note) => `omitted   ${note}`),
    failure === undefined ? `passes    in virtual time: ringback run ${file}` : `fails     in virtual time: ${failure}`,
    '',
  ].join('\n');
}
