import { closeSync, ftruncateSync, openSync, readdirSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import * as v from 'valibot';
import type { EndRecord } from '../exchange/calls/call.ts';
import { endRecord } from '../exchange/calls/end-record.ts';
import type { LiveCall, LiveSignal, Moment } from '../exchange/calls/live-call.ts';
import type { KeptCall } from '../exchange/store.ts';

/** The size at which a file is followed by the next one, bytes. */
const FILE_BYTES = 32 * 1024 * 1024;
/**
 * The age at which a file is followed by the next one, milliseconds. So the descriptions of ended calls do not stay on a
 * disk for long.
 */
const FILE_MS = 3_600_000;
/**
 * The time without calls after which the records that still wait get a file of their own, milliseconds. The exchange writes
 * twice after its last call, five seconds apart.
 */
const IDLE_MS = 4_000;
/** The most records that wait for the database. Above it the oldest are dropped first. */
const RECORDS = 10_000;
/** The most calls that the exchange writes again with one write, so that no turn takes long. */
const AGAIN_AT_ONCE = 20;
/** The most ended calls of one line. While lines fail, a try costs no more than one of them. */
const ENDS_AT_ONCE = 200;

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

/** The parts of a line that are read. Another version of ringback may have written it. */
const ofCall = v.looseObject({ callId: v.string() });
const momentSchema = v.object({ at: v.number(), clock: v.number() });
const signalSchema = v.object({
  callId: v.string(),
  side: v.picklist(['caller', 'callee']),
  clientId: v.string(),
  sequence: v.number(),
  // Older versions wrote the JSON text of the frame as a string.
  frame: v.union([
    v.string(),
    v.pipe(
      v.custom<object>(isObject),
      v.transform((frame) => JSON.stringify(frame)),
    ),
  ]),
});
const lineSchema = v.record(v.string(), v.unknown());

/** What a line says, without the parts that cannot be read. */
interface ReadLine {
  readonly seen: Moment | undefined;
  readonly calls: readonly v.InferOutput<typeof ofCall>[];
  readonly signals: readonly LiveSignal[];
  readonly over: readonly EndRecord[];
  readonly forget: readonly string[];
  /** The ids of calls that ended, whose records cannot be read. */
  readonly unreadable: readonly string[];
  /** The number of parts that cannot be read. */
  readonly skipped: number;
}

const legsSchema = v.object({
  legs: v.array(v.looseObject({ side: v.string(), clientId: v.string(), firstSignal: v.number() })),
});

interface Held {
  body: unknown;
  readonly signals: Map<string, LiveSignal>;
}

/** A call that ended, or whose record is in the database. The files do not say so yet. */
interface Ended {
  /** The number of the file that has the whole call as a live one. Null without one. */
  readonly file: number | null;
  /** True when a file has the record of the call. */
  readonly hasRecord: boolean;
}

/** The content of the files. */
export interface LeftCalls {
  /** The calls that went on. */
  readonly calls: readonly KeptCall[];
  /** The records of calls that ended, and are perhaps not in the database. */
  readonly records: readonly EndRecord[];
}

/** What the files have, as far as it can be read. */
export interface ReadCalls extends LeftCalls {
  /** The ids of calls that ended, whose records cannot be read. They are counted in `skipped` too. */
  readonly unreadable: readonly string[];
  /** The number of lines, and of parts of other lines, that cannot be read. */
  readonly skipped: number;
}

/** The system calls that write. */
export interface FileWrites {
  /** Writes at the end of an open file. Returns the number of bytes that it wrote. */
  readonly write: (descriptor: number, bytes: Uint8Array) => number;
  /** Removes everything from an open file. */
  readonly empty: (descriptor: number) => void;
}

const SYSTEM: FileWrites = {
  write: (descriptor, bytes) => writeSync(descriptor, bytes),
  empty: (descriptor) => ftruncateSync(descriptor),
};

/**
 * The live calls of the one exchange that has a SQLite file, in files beside it, `FILE-live-1` and so on. Each write adds
 * a line, and returns when the system has it. So it survives the end of the process, as live calls must, and no message
 * waits for a commit of the database. A loss of power may lose them.
 *
 * A file that is full is followed by the next one. The exchange then writes the calls of the former file again, a few
 * with each write. The former file is deleted when none of its calls goes on. A write while no call goes on removes what
 * ended calls left: it empties the file, or after four seconds moves the records that wait to the next one. So a call
 * costs no new file.
 */
export class LiveCallFile {
  readonly #path: string;
  readonly #fileBytes: number;
  readonly #system: FileWrites;
  /** The number of the file that has the whole call, by live call. */
  readonly #fileOf = new Map<string, number>();
  /** The number of live calls that each file has as a whole, oldest file first. */
  readonly #counts = new Map<number, number>();
  /** The calls that the exchange was asked to write again. */
  readonly #asked = new Set<string>();
  /** The records that are not in the database, by call. */
  readonly #records = new Map<string, EndRecord>();
  /** The calls that ended, or whose record is saved, while no file says so. The next line has their record or forgets them. */
  readonly #unwritten = new Map<string, Ended>();
  /** True when the last line failed. Then only `save` tries again, so that many ends cost no more than one. */
  #isFailing = false;
  #isClosed = false;
  /** The number of the last file. */
  #number: number;
  #descriptor: number | null = null;
  #bytes = 0;
  /** The size of the last file when the one before it was deleted. */
  #firstBytes = 0;
  /** The moment of the first write to the last file, by the monotonic clock. Null before. */
  #since: number | null = null;
  /** The moment of the first write since no call goes on, by the monotonic clock. Null while calls go on. */
  #idleSince: number | null = null;
  /** True when the last line may be incomplete. */
  #isTorn = false;
  /** True when the last file has calls, live or ended. */
  #hasCalls = false;

  /**
   * @param database - the path of the SQLite file, which this process has claimed.
   * @param fileBytes - the size at which a file is followed by the next one. Default: 32 MB.
   * @param system - Default: that of Node.
   */
  constructor(database: string, fileBytes = FILE_BYTES, system: Partial<FileWrites> = SYSTEM) {
    this.#path = `${database}-live-`;
    this.#fileBytes = fileBytes;
    this.#system = { ...SYSTEM, ...system };
    this.#number = this.#numbers().at(-1) ?? 0;
  }

  /**
   * Reads what the last process left. A line that is incomplete is skipped, and so is a part of another form.
   *
   * @throws Error when a file cannot be read.
   */
  read(): ReadCalls {
    const held = new Map<string, Held>();
    const records = new Map<string, EndRecord>();
    const unreadable = new Set<string>();
    let seen: Moment = { at: 0, clock: 0 };
    let skipped = 0;
    for (const number of this.#numbers()) {
      for (const text of readFileSync(this.#path + number, 'utf8').split('\n')) {
        if (text === '') continue;
        const line = lineOf(text);
        skipped += line?.skipped ?? 1;
        if (!line) continue;
        seen = line.seen ?? seen;
        apply(held, records, line);
        for (const { callId } of line.over) unreadable.delete(callId);
        for (const callId of line.forget) unreadable.delete(callId);
        for (const callId of line.unreadable) unreadable.add(callId);
      }
    }
    const calls = [...held].flatMap(([callId, { body, signals }]) =>
      body === undefined ? [] : [{ callId, body, signals: keptSignals(body, [...signals.values()]), seen }],
    );
    return { calls, records: [...records.values()], unreadable: [...unreadable], skipped };
  }

  /**
   * Starts a file that has this alone, and deletes the former files. One that cannot be deleted stays.
   *
   * @throws Error when the file cannot be written.
   */
  begin({ calls, records }: LeftCalls): void {
    const former = this.#numbers();
    this.#closeFile();
    for (const known of [this.#fileOf, this.#counts, this.#asked, this.#records, this.#unwritten]) known.clear();
    for (const record of records) this.#records.set(record.callId, record);
    if (calls.length + records.length > 0) this.#next();
    for (const { callId, body, signals, seen } of calls) {
      this.#append({ seen, calls: [body], signals });
      this.#put(callId);
    }
    // The records are in no other file after this.
    if (this.#unwritten.size > 0) this.#append({});
    const begun = [...this.#counts];
    this.#counts.clear();
    for (const number of former) this.#counts.set(number, 0);
    for (const [number, count] of begun) this.#counts.set(number, count);
    if (begun.length > 0) this.#deleteLeft();
    else this.#removeAll();
  }

  /**
   * Writes calls as they are now, and adds signals, also of other calls that it has. While no call goes on, it removes what ended calls left instead.
   *
   * @returns the ids of calls that must be written again with all their signals, since their file is to be deleted.
   * @throws Error when the system cannot write.
   */
  save(seen: Moment, calls: readonly LiveCall[], signals: readonly LiveSignal[]): readonly string[] {
    if (calls.length + this.#fileOf.size === 0) {
      this.#idleSince ??= seen.clock;
      this.#removeEnded(seen.clock - this.#idleSince >= IDLE_MS);
      return [];
    }
    this.#idleSince = null;
    this.#append({ seen, calls, signals });
    for (const { callId } of calls) {
      if (this.#fileOf.has(callId) && !this.#asked.delete(callId)) continue;
      this.#put(callId);
    }
    this.#since ??= seen.clock;
    if (this.#moving === null && this.#isFull(seen)) this.#tryNext();
    return this.#askAgain();
  }

  /** Returns whether the last file is large or old. It grows to twice what it began with, so that calls are not copied for ever. */
  #isFull({ clock }: Moment): boolean {
    const isOld = this.#since !== null && clock - this.#since >= FILE_MS;
    return isOld || this.#bytes >= Math.max(this.#fileBytes, 2 * this.#firstBytes);
  }

  /**
   * Records that a call ended, until its record is in the database. Never throws: a line that cannot be written goes with
   * the next write.
   */
  end(record: EndRecord): void {
    const { callId } = record;
    this.#setEnded(callId);
    this.#records.set(callId, record);
    const [oldest] = this.#records.keys();
    if (this.#records.size > RECORDS && oldest !== undefined) this.#forget(oldest);
    this.#writeEnds();
  }

  /**
   * Removes calls that are over, or whose record is in the database. Never throws: a line that cannot be written goes
   * with the next write.
   */
  forget(callIds: readonly string[]): void {
    const areLive = callIds.some((callId) => this.#fileOf.has(callId));
    for (const callId of callIds) this.#forget(callId);
    // Saved records need no line at once while calls go on: they bring one within seconds. Without calls, a record must not
    // stay: the next start would save it again, also when it was erased meanwhile.
    if (areLive) this.#writeEnds();
    const isIdle = this.#idleSince !== null || !this.#hasCalls;
    if (this.#fileOf.size === 0 && (areLive || isIdle)) this.#tryRemoveEnded(false);
  }

  /** Closes the file, after it has removed what ended calls left. No method may be called afterwards. */
  close(): void {
    if (this.#fileOf.size === 0) this.#tryRemoveEnded(true);
    this.#isClosed = true;
    this.#closeFile();
    if (this.#bytes === 0 && this.#counts.get(this.#number) === 0) this.#delete(this.#number);
  }

  /**
   * Removes what ended calls left: every file, or all but the records that wait. A record that the database does not take
   * must not keep the descriptions of ended calls on the disk.
   *
   * @param mayFollow - whether the next file may have the records that wait. Most records wait for a moment only, and a
   *   file costs the system more than a call.
   * @throws Error when the system cannot write which calls ended.
   */
  #removeEnded(mayFollow: boolean): void {
    if (this.#records.size === 0 && this.#removeAll()) return;
    if (this.#unwritten.size > 0 || this.#isFailing) this.#append({});
    // While a former file cannot be deleted, this one could not be deleted either.
    if (mayFollow && this.#hasCalls && this.#counts.size === 1) this.#tryNext();
  }

  /** Removes what ended calls left. Never throws: the next write tries again. */
  #tryRemoveEnded(mayFollow: boolean): void {
    try {
      this.#removeEnded(mayFollow);
    } catch {
      // The next write tries again.
    }
  }

  #closeFile(): void {
    if (this.#descriptor !== null) closeSync(this.#descriptor);
    this.#descriptor = null;
  }

  /** Moves a call from the live ones to those whose end is to be written. */
  #setEnded(callId: string): void {
    const ended = { file: this.#fileOf.get(callId) ?? null, hasRecord: this.#records.has(callId) };
    this.#fileOf.delete(callId);
    this.#asked.delete(callId);
    if (!this.#unwritten.has(callId)) this.#unwritten.set(callId, ended);
  }

  #forget(callId: string): void {
    if (!this.#fileOf.has(callId) && !this.#records.has(callId)) return;
    this.#setEnded(callId);
    this.#records.delete(callId);
    const ended = this.#unwritten.get(callId);
    // No file knows the call.
    if (ended?.file === null && !ended.hasRecord) this.#unwritten.delete(callId);
  }

  /** Writes which calls ended. */
  #writeEnds(): void {
    if (this.#isFailing || this.#unwritten.size === 0) return;
    try {
      this.#append({});
    } catch {
      // The next write tries again.
    }
  }

  /** Writes a line, and the ends that are not written. */
  #append(line: Line): void {
    if (this.#descriptor === null) this.#next();
    let rest = line;
    do {
      const callIds = [...this.#unwritten.keys()].slice(0, ENDS_AT_ONCE);
      const over = callIds.flatMap((callId) => this.#records.get(callId) ?? []);
      const forget = callIds.filter((callId) => !this.#records.has(callId));
      this.#writeLine({ ...rest, ...(over.length > 0 ? { over } : {}), ...(forget.length > 0 ? { forget } : {}) });
      for (const callId of callIds) this.#setWritten(callId);
      rest = {};
    } while (this.#unwritten.size > 0);
    this.#deleteLeft();
  }

  #writeLine(line: Line): void {
    const bytes = Buffer.from(`${this.#isTorn ? '\n' : ''}${textOf(line)}\n`);
    // Until the whole line is written, a reader skips it.
    this.#isTorn = true;
    this.#isFailing = true;
    this.#hasCalls ||= line.calls !== undefined && line.calls.length > 0;
    for (let from = 0; from < bytes.length;) from += this.#system.write(this.#descriptor ?? -1, bytes.subarray(from));
    this.#isTorn = false;
    this.#isFailing = false;
    this.#bytes += bytes.length;
  }

  /** Records that a file has the end of a call. */
  #setWritten(callId: string): void {
    const file = this.#unwritten.get(callId)?.file ?? null;
    this.#unwritten.delete(callId);
    if (file !== null) this.#counts.set(file, (this.#counts.get(file) ?? 1) - 1);
  }

  /** Starts the next file. Only its owner can read it, since it has descriptions with the passwords of ICE. */
  #next(): void {
    if (this.#isClosed) throw new Error('The file of live calls is closed.');
    const descriptor = openSync(this.#path + (this.#number + 1), 'ax', 0o600);
    this.#closeFile();
    this.#number += 1;
    this.#descriptor = descriptor;
    this.#counts.set(this.#number, 0);
    this.#setEmpty();
    // The former files may have them alone.
    for (const callId of this.#records.keys()) {
      if (!this.#unwritten.has(callId)) this.#unwritten.set(callId, { file: null, hasRecord: true });
    }
    if (this.#unwritten.size > 0) this.#writeEnds();
    else this.#deleteLeft();
  }

  /** Records that the last file has nothing. */
  #setEmpty(): void {
    [this.#bytes, this.#firstBytes, this.#since] = [0, 0, null];
    [this.#isTorn, this.#isFailing, this.#hasCalls] = [false, false, false];
  }

  /** Starts the next file. Without one the present file goes on, and a later write tries again. */
  #tryNext(): void {
    try {
      this.#next();
    } catch {
      // The present file has everything.
    }
  }

  /**
   * Removes everything: no call goes on, so that nothing of a call stays. The last file is emptied while it is open, since
   * a new one costs the system ten times as much. Returns false when a file cannot be removed.
   */
  #removeAll(): boolean {
    for (const number of [...this.#counts.keys()]) {
      if (number === this.#number && this.#empty()) continue;
      if (!this.#delete(number)) return false;
      if (number === this.#number) this.#closeFile();
      this.#counts.delete(number);
    }
    this.#unwritten.clear();
    // The next line begins a file.
    this.#isFailing = false;
    return true;
  }

  /** Empties the last file. Returns false when it is not open, or the system cannot. */
  #empty(): boolean {
    if (this.#descriptor === null) return false;
    try {
      if (this.#bytes > 0 || this.#isTorn) this.#system.empty(this.#descriptor);
      this.#setEmpty();
      this.#counts.set(this.#number, 0);
      return true;
    } catch {
      return false;
    }
  }

  /** Deletes a file. Returns false when it cannot be deleted. */
  #delete(number: number): boolean {
    try {
      rmSync(this.#path + number, { force: true });
      return true;
    } catch {
      return false;
    }
  }

  /** The number of the oldest former file with live calls, which move to the last file. Null without one. */
  get #moving(): number | null {
    for (const [number, count] of this.#counts) if (count > 0 && number !== this.#number) return number;
    return null;
  }

  /** Returns calls of former files, for the exchange to write again. */
  #askAgain(): readonly string[] {
    const oldest = this.#moving;
    if (oldest === null) return [];
    for (const [callId, number] of this.#fileOf) {
      if (this.#asked.size >= AGAIN_AT_ONCE) break;
      if (number === oldest) this.#asked.add(callId);
    }
    return [...this.#asked];
  }

  /** Records that the last file has a whole call. */
  #put(callId: string): void {
    const former = this.#fileOf.get(callId);
    if (former !== undefined) this.#counts.set(former, (this.#counts.get(former) ?? 1) - 1);
    this.#fileOf.set(callId, this.#number);
    this.#counts.set(this.#number, (this.#counts.get(this.#number) ?? 0) + 1);
    this.#deleteLeft();
  }

  /**
   * Deletes the oldest files that have no live call, after the last file has every record. A later file may end a call of
   * an earlier one, so it stays.
   */
  #deleteLeft(): void {
    for (const [number, count] of this.#counts) {
      if (count > 0 || number === this.#number || !this.#delete(number)) return;
      this.#counts.delete(number);
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

/** Returns a line as JSON. The frame of a signal is JSON already. */
function textOf({ signals = [], ...rest }: Line): string {
  const text = JSON.stringify(rest);
  if (signals.length === 0) return text;
  const each = signals.map(({ frame, ...head }) => `${JSON.stringify(head).slice(0, -1)},"frame":${frame}}`);
  return `{"signals":[${each.join()}]${text === '{}' ? '' : ','}${text.slice(1)}`;
}

/** Parses a line, each part alone. A part of another form is skipped. Null for a line that is incomplete. */
function lineOf(text: string): ReadLine | null {
  const read = v.safeParse(lineSchema, parsed(text));
  if (!read.success) return null;
  const line = read.output;
  let skipped = 0;
  const one = <T extends v.GenericSchema>(schema: T, value: unknown): v.InferOutput<T>[] => {
    const part = v.safeParse(schema, value);
    if (part.success) return [part.output];
    skipped += 1;
    return [];
  };
  const each = <T extends v.GenericSchema>(schema: T, value: unknown = []): v.InferOutput<T>[] =>
    one(v.array(v.unknown()), value).flatMap((parts) => parts.flatMap((part) => one(schema, part)));
  const [seen] = line['seen'] === undefined ? [] : one(momentSchema, line['seen']);
  const calls = each(ofCall, line['calls']);
  const signals = each(signalSchema, line['signals']);
  const ended = each(ofCall, line['over']);
  const over = each(endRecord, ended);
  const forget = each(v.string(), line['forget']);
  return { seen, calls, signals, over, forget, unreadable: without(ended, over), skipped };
}

/** Returns the ids of the calls without a record that can be read. */
function without(ended: readonly { readonly callId: string }[], over: readonly EndRecord[]): string[] {
  const known = new Set(over.map(({ callId }) => callId));
  return ended.map(({ callId }) => callId).filter((callId) => !known.has(callId));
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

/** Returns the value of a JSON text. Undefined for an incomplete one. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function apply(
  held: Map<string, Held>,
  records: Map<string, EndRecord>,
  { calls, signals, over, forget, unreadable }: ReadLine,
): void {
  const of = (callId: string): Held => {
    const known = held.get(callId) ?? { body: undefined, signals: new Map<string, LiveSignal>() };
    held.set(callId, known);
    return known;
  };
  for (const record of over) {
    held.delete(record.callId);
    records.set(record.callId, record);
  }
  // A call is over also when its record cannot be read.
  for (const callId of [...forget, ...unreadable]) {
    held.delete(callId);
    records.delete(callId);
  }
  for (const body of calls) of(body.callId).body = body;
  for (const signal of signals) {
    const { callId, side, clientId, sequence } = signal;
    of(callId).signals.set(JSON.stringify([side, clientId, sequence]), signal);
  }
}

/** Returns the signals that the legs of a call still keep, in the order of their numbers. */
function keptSignals(body: unknown, signals: readonly LiveSignal[]): readonly LiveSignal[] {
  const read = v.safeParse(legsSchema, body);
  const legs = read.success ? read.output.legs : [];
  const firstOf = new Map(legs.map(({ side, clientId, firstSignal }) => [`${side} ${clientId}`, firstSignal]));
  return signals
    .filter(({ side, clientId, sequence }) => sequence >= (firstOf.get(`${side} ${clientId}`) ?? 0))
    .toSorted((a, b) => a.sequence - b.sequence);
}
