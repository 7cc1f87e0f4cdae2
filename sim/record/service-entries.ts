/** Selects the entries of the calling service in an HTTP archive, which has the traffic of a page with any service. */
import * as v from 'valibot';
import { CALLING_API } from '../../src/protocol/calling-api.ts';
import { commandGroup } from '../../src/protocol/enumerations.ts';
import { CHANNEL_QUERY, HEADERS, PATHS } from '../../src/protocol/http.ts';

/** The parts of an entry that show its service. An entry of another service may have any form. */
const look = v.object({
  request: v.object({
    url: v.string(),
    headers: v.fallback(v.array(v.object({ name: v.string(), value: v.string() })), []),
  }),
  _webSocketMessages: v.fallback(v.array(v.object({ data: v.string() })), []),
});

/** The server of an entry that has a path of the calling service. */
interface Place {
  /** The address in front of the path, such as `https://calls.example/scripts/decline`. */
  readonly base: string;
  /** Null when the entry does not name it. */
  readonly client: string | null;
  /** True for a channel that carried a frame of the protocol. */
  readonly hasFrames: boolean;
}

const ROUTES = [PATHS.channel, ...new Set(Object.values(CALLING_API).map(({ path }) => path))]
  .map((path) => path.replaceAll(/\{\w+\}/g, '[^/]+'))
  .join('|');
/** A path of the calling service. A server may have its paths below another, as `/scripts/decline/v1`. */
const ROUTE = new RegExp(`^(?<prefix>.*?)(?<path>${ROUTES})$`);

/**
 * Returns the indexes of the entries of the calling service. Its servers are those of a realtime channel, and those
 * that got a request of the client of such a channel. Only the paths of the API count there.
 */
export function entriesOfService(entries: readonly unknown[]): number[] {
  const places = entries.map(placeOf);
  const clients = new Set(places.flatMap((place) => (place?.hasFrames ? [place.client] : [])));
  clients.delete(null);
  const bases = new Set(
    places.flatMap((place) => (place && (place.hasFrames || clients.has(place.client)) ? [place.base] : [])),
  );
  return places.flatMap((place, at) => (place && bases.has(place.base) ? [at] : []));
}

/** Returns the place of an entry. Undefined for a request that the API does not have. */
function placeOf(entry: unknown): Place | undefined {
  const { success, output } = v.safeParse(look, entry);
  if (!success || !URL.canParse(output.request.url)) return undefined;
  const { protocol, host, pathname } = new URL(output.request.url);
  const { prefix = '', path } = ROUTE.exec(pathname)?.groups ?? {};
  if (path === undefined) return undefined;
  return {
    base: `${protocol.replace(/^ws/, 'http')}//${host}${prefix}`,
    client: clientOf(output.request),
    hasFrames: path === PATHS.channel && output._webSocketMessages.some(({ data }) => isFrame(data)),
  };
}

/** Returns the client id of a request. Null when the request does not name its client. */
export function clientOf({ url, headers }: v.InferOutput<typeof look>['request']): string | null {
  const named = headers.find(({ name }) => name.toLowerCase() === HEADERS.clientId)?.value;
  return named ?? new URL(url).searchParams.get(CHANNEL_QUERY.clientId);
}

/** A command, a reply or an event. The realtime channel of another service has other frames. */
const frame = v.pipe(v.string(), v.parseJson(), v.object({ cmd: commandGroup, type: v.string() }));
const isFrame = (data: string): boolean => v.is(frame, data);
