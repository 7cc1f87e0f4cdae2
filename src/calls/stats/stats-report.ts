/** A report of any engine: RTCStatsReport, or the Map of wrtc. */
export interface StatsReport {
  forEach(visit: (entry: unknown) => void): void;
}

/** A source of reports: a peer connection. */
export interface StatsSource {
  getStats(): Promise<StatsReport>;
}

/** One entry of a report. Its fields are read by type, since engines of different ages have different ones. */
export class StatsEntry {
  readonly #fields: ReadonlyMap<string, unknown>;

  constructor(entry: object) {
    this.#fields = new Map(Object.entries(entry));
  }

  /** Returns a number. Null when the field is absent or not a finite number. */
  number(name: string): number | null {
    const value = this.#fields.get(name);
    return typeof value === 'number' && Number.isFinite(value) ? value : null;
  }

  /** Returns a counter. 0 when it is absent, and never below 0: engines have reported a negative packetsLost. */
  count(name: string): number {
    return Math.max(0, this.number(name) ?? 0);
  }

  /** Returns a time in milliseconds from the seconds of a report (§9). */
  ms(name: string): number | null {
    const seconds = this.number(name);
    return seconds === null ? null : seconds * 1000;
  }

  /** Returns the mean in milliseconds of a total in seconds and its count. */
  meanMs(total: string, count: string): number | null {
    const of = this.count(count);
    const sum = this.ms(total);
    return sum === null || of === 0 ? null : sum / of;
  }

  /** Returns a text. Null when the field is absent, empty or not a text. */
  text(name: string): string | null {
    const value = this.#fields.get(name);
    return typeof value === 'string' && value !== '' ? value : null;
  }

  is(name: string, value: unknown): boolean {
    return this.#fields.get(name) === value;
  }
}

/** The entries of a report, by id and by type. */
export class StatsEntries {
  readonly #byId = new Map<string, StatsEntry>();

  constructor(report: StatsReport) {
    report.forEach((value) => {
      if (typeof value !== 'object' || value === null) return;
      const entry = new StatsEntry(value);
      const id = entry.text('id');
      if (id !== null) this.#byId.set(id, entry);
    });
  }

  byId(id: string | null): StatsEntry | null {
    return id === null ? null : (this.#byId.get(id) ?? null);
  }

  find(type: string, matches: (entry: StatsEntry) => boolean = () => true): StatsEntry | null {
    return [...this.#byId.values()].find((entry) => entry.is('type', type) && matches(entry)) ?? null;
  }

  /** Returns the stream of a kind. Older engines call the kind `mediaType`. */
  stream(type: string, kind: 'audio' | 'video'): StatsEntry | null {
    return this.find(type, (entry) => (entry.text('kind') ?? entry.text('mediaType')) === kind);
  }
}
