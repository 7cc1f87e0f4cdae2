import { closeSync, openSync, readdirSync, readFileSync, unlinkSync, writeSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { EndRecord } from '../exchange/calls/call.ts';
import type { LiveCall, LiveSignal, Moment } from '../exchange/calls/live-call.ts';
import type { KeptCall } from '../exchange/store.ts';

/** The size at which a file is followed by the next one, bytes. */
const FILE_BYTES = 32 * 1024 * 1024;
/** The most calls that the exchange writes again with one write, so that no turn takes long. */
const AGAIN_AT_ONCE = 20;

/** One line of a file, as JSON. */
interface Line {
  readonly seen?: Moment;
  /** The bodies of calls. Another version of ringback may have written them. */
  readonly calls?: readonly unknown[];
  readonly signals?: readonly LiveSignal[];
  /** The records of calls that ended. They are not in the database yet. */
  readonly over?: readonly EndRecord[];
  /** The ids of calls that are over, and of records that are in the database. */
  readonly forget?: readonly string[];
}

interface Held {
  body: unknown;
  readonly signals: Map<string, LiveSignal>;
}

/** The content of the files. */
export interface LeftCalls {
  /** The calls that went on. */
  readonly calls: readonly KeptCall[];
  /** The records of calls that ended, and are perhaps not in the database. */
  readonly records: readonly EndRecord[];
}

/** The system calls that write. */
export interface FileWrites {
  /** Writes at the end of an open file. Returns the number of bytes that it wrote. */
  readonly write: (descriptor: number, bytes: Uint8Array) => number;
}

const SYSTEM: FileWrites = { write: (descriptor, bytes) => writeSync(descriptor, bytes) };

/**
 * The live calls of the one exchange that has a SQLite file, in files beside it, `FILE-live-1` and so on. Each write adds
 * a line, and returns when the system has it. So it survives the end of the process, as live calls must, and no message
 * waits for a commit of the database. A loss of power may lose them.
 *
 * A file that is full is followed by the next one. The exchange then writes the calls of the former file again, a few
 * with each write. The former file is deleted when none of its calls goes on.
 */
export class LiveCallFile {
  readonly #path: string;
  readonly #fileBytes: number;
  readonly #system: FileWrites;
  /** The number of the file that has a live call whole, by call. */
  readonly #fileOf = new Map<string, number>();
  /** The number of live calls of each file since the start, oldest file first. */
  readonly #counts = new Map<number, number>();
  /** The calls that the exchange was asked to write again. */
  readonly #asked = new Set<string>();
  /** The records that are not in the database, by call. */
  readonly #records = new Map<string, EndRecord>();
  /** What could not be written, for the next line. */
  #unsaid: { over: EndRecord[]; forget: string[] } = { over: [], forget: [] };
  #isClosed = false;
  /** The number of the last file. */
  #number: number;
  #descriptor: number | null = null;
  #bytes = 0;
  /** The size of the last file when the one before it was deleted. */
  #firstBytes = 0;
  /** True when the last line may be incomplete. */
  #isTorn = false;

  /**
   * @param database - the path of the SQLite file, which this process has claimed.
   * @param fileBytes - the size at which a file is followed by the next one. Default: 32 MB.
   * @param system - Default: that of Node.
   */
  constructor(database: string, fileBytes = FILE_BYTES, system = SYSTEM) {
    this.#path = `${database}-live-`;
    this.#fileBytes = fileBytes;
    this.#system = system;
    this.#number = this.#numbers().at(-1) ?? 0;
  }

  /**
   * Reads what the last process left. A line that a loss of power left incomplete is skipped.
   *
   * @throws Error when a file cannot be read.
   */
  read(): LeftCalls {
    const held = new Map<string, Held>();
    const records = new Map<string, EndRecord>();
    let seen: Moment = { at: 0, clock: 0 };
    for (const number of this.#numbers()) {
      for (const text of readFileSync(this.#path + number, 'utf8').split('\n')) {
        const line = lineOf(text);
        if (!line) continue;
        seen = line.seen ?? seen;
        apply(held, records, line);
      }
    }
    const calls = [...held].flatMap(([callId, { body, signals }]) =>
      body === undefined ? [] : [{ callId, body, signals: keptSignals(body as LiveCall, [...signals.values()]), seen }],
    );
    return { calls, records: [...records.values()] };
  }

  /** Starts a file that has this alone, and deletes the former files. @throws Error when it cannot be written. */
  begin({ calls, records }: LeftCalls): void {
    const former = this.#numbers();
    this.#closeFile();
    for (const known of [this.#fileOf, this.#counts, this.#asked, this.#records]) known.clear();
    for (const record of records) this.#records.set(record.callId, record);
    if (calls.length + records.length > 0) this.#next();
    for (const { callId, body, signals, seen } of calls) {
      this.#append({ seen, calls: [body], signals });
      this.#put(callId);
    }
    for (const number of former) unlinkSync(this.#path + number);
  }

  /**
   * Writes calls as they are now, and adds signals.
   *
   * @returns the ids of calls that must be written again with all their signals, since their file is to be deleted.
   * @throws Error when the system cannot write.
   */
  save(seen: Moment, calls: readonly LiveCall[], signals: readonly LiveSignal[]): readonly string[] {
    this.#append({ seen, calls, signals });
    for (const { callId } of calls) {
      if (this.#fileOf.has(callId) && !this.#asked.delete(callId)) continue;
      this.#put(callId);
    }
    // A file grows to twice the calls that it began with, so that they are not copied for ever.
    if (this.#isOnly && this.#bytes >= Math.max(this.#fileBytes, 2 * this.#firstBytes)) this.#next();
    return this.#askAgain();
  }

  /** Records that a call ended, until its record is in the database. A line that cannot be written goes with the next. */
  end(record: EndRecord): void {
    this.#drop(record.callId);
    this.#records.set(record.callId, record);
    this.#unsaid.over.push(record);
    this.#say();
  }

  /** Removes calls that are over, or whose record is in the database. A line that cannot be written goes with the next. */
  forget(callIds: readonly string[]): void {
    const known = callIds.filter((callId) => this.#fileOf.has(callId) || this.#records.has(callId));
    if (known.length === 0) return;
    for (const callId of known) {
      this.#drop(callId);
      this.#records.delete(callId);
    }
    this.#unsaid.forget.push(...known);
    if (this.#fileOf.size + this.#records.size > 0) this.#say();
    else this.#deleteAll();
  }

  /** Closes the file. No method may be called afterwards. */
  close(): void {
    this.#isClosed = true;
    this.#closeFile();
  }

  #closeFile(): void {
    if (this.#descriptor !== null) closeSync(this.#descriptor);
    this.#descriptor = null;
  }

  #say(): void {
    try {
      this.#append({});
    } catch {
      // The next line has it.
    }
  }

  #append(line: Line): void {
    if (this.#descriptor === null) this.#next();
    const { over, forget } = this.#unsaid;
    const text = JSON.stringify({
      ...line,
      ...(over.length > 0 ? { over } : {}),
      ...(forget.length > 0 ? { forget } : {}),
    });
    const bytes = Buffer.from(`${this.#isTorn ? '\n' : ''}${text}\n`);
    // Until the whole line is written, a reader skips it.
    this.#isTorn = true;
    for (let from = 0; from < bytes.length;) from += this.#system.write(this.#descriptor ?? -1, bytes.subarray(from));
    this.#isTorn = false;
    this.#unsaid = { over: [], forget: [] };
    this.#bytes += bytes.length;
  }

  /** Starts the next file. Only its owner can read it, since it has descriptions with the passwords of ICE. */
  #next(): void {
    if (this.#isClosed) throw new Error('The file of live calls is closed.');
    const descriptor = openSync(this.#path + (this.#number + 1), 'ax', 0o600);
    this.#closeFile();
    this.#number += 1;
    this.#descriptor = descriptor;
    this.#counts.set(this.#number, 0);
    [this.#bytes, this.#firstBytes, this.#isTorn] = [0, 0, false];
    // The former files may have them alone.
    if (this.#records.size > 0) this.#append({ over: [...this.#records.values()] });
    this.#deleteLeft();
  }

  /** Deletes every file: no call goes on, so that nothing of a call stays. */
  #deleteAll(): void {
    this.#closeFile();
    for (const number of this.#numbers()) unlinkSync(this.#path + number);
    this.#counts.clear();
    this.#unsaid = { over: [], forget: [] };
  }

  /** True when no former file is left. */
  get #isOnly(): boolean {
    return this.#counts.size <= 1;
  }

  /** Returns calls of former files, for the exchange to write again. */
  #askAgain(): readonly string[] {
    if (this.#isOnly) return [];
    const [oldest] = this.#counts.keys();
    for (const [callId, number] of this.#fileOf) {
      if (this.#asked.size >= AGAIN_AT_ONCE) break;
      if (number === oldest) this.#asked.add(callId);
    }
    return [...this.#asked];
  }

  #put(callId: string): void {
    this.#drop(callId);
    this.#fileOf.set(callId, this.#number);
    this.#counts.set(this.#number, (this.#counts.get(this.#number) ?? 0) + 1);
  }

  #drop(callId: string): void {
    const number = this.#fileOf.get(callId);
    if (number === undefined) return;
    this.#fileOf.delete(callId);
    this.#asked.delete(callId);
    this.#counts.set(number, (this.#counts.get(number) ?? 1) - 1);
    this.#deleteLeft();
  }

  /** Deletes the oldest files that have no live call. A later file may end a call of an earlier one, so it stays. */
  #deleteLeft(): void {
    for (const [number, count] of this.#counts) {
      if (count > 0 || number === this.#number) return;
      this.#counts.delete(number);
      unlinkSync(this.#path + number);
      this.#firstBytes = this.#bytes;
    }
  }

  /** Returns the numbers of the files that exist, in their order. */
  #numbers(): number[] {
    const name = basename(this.#path);
    return readdirSync(dirname(this.#path))
      .filter((file) => file.startsWith(name) && /^\d{1,15}$/.test(file.slice(name.length)))
      .map((file) => Number(file.slice(name.length)))
      .toSorted((a, b) => a - b);
  }
}

/** Parses a line. Null for an incomplete one. */
function lineOf(text: string): Line | null {
  if (text === '') return null;
  try {
    return JSON.parse(text) as Line;
  } catch {
    return null;
  }
}

function apply(
  held: Map<string, Held>,
  records: Map<string, EndRecord>,
  { calls = [], signals = [], over = [], forget = [] }: Line,
): void {
  const of = (callId: string): Held => {
    const known = held.get(callId) ?? { body: undefined, signals: new Map<string, LiveSignal>() };
    held.set(callId, known);
    return known;
  };
  for (const body of calls) of((body as LiveCall).callId).body = body;
  for (const signal of signals) {
    const { callId, side, clientId, sequence } = signal;
    of(callId).signals.set(JSON.stringify([side, clientId, sequence]), signal);
  }
  for (const record of over) {
    held.delete(record.callId);
    records.set(record.callId, record);
  }
  for (const callId of forget) {
    held.delete(callId);
    records.delete(callId);
  }
}

/** Returns the signals that the legs of a call still keep, in the order of their numbers. */
function keptSignals(body: LiveCall, signals: readonly LiveSignal[]): readonly LiveSignal[] {
  const firstOf = new Map(body.legs.map(({ side, clientId, firstSignal }) => [`${side} ${clientId}`, firstSignal]));
  return signals
    .filter(({ side, clientId, sequence }) => sequence >= (firstOf.get(`${side} ${clientId}`) ?? 0))
    .toSorted((a, b) => a.sequence - b.sequence);
}
