/** One HTTP request with a text body. Redirects are not followed: they count as malformed (§8). */
export interface FetchPort {
  /** Rejects only without an answer: refused, reset, aborted. */
  (url: string, request: FetchRequest): Promise<FetchAnswer>;
}

export interface FetchRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal: AbortSignal;
}

export interface FetchAnswer {
  readonly status: number;
  readonly redirected: boolean;
  text(): Promise<string>;
}
