/** The traces of a server: their spans, what they contain, and how they cross from node to node. */
import { context, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Answerer, NodeLink } from '../../../sim/cluster/node-link.ts';
import { startSim } from '../../../sim/server/start-sim.ts';
import { OpenTelemetry } from '../../../sim/server/tracing/open-telemetry.ts';
import { routeOf } from '../../../sim/server/tracing/route-of.ts';
import { openTracing } from '../../../sim/server/tracing/open-tracing.ts';
import { Terminal } from '../../contract/exchange/terminals.ts';

const ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' };
const quiet = { warn: () => undefined };
const none = () => Promise.resolve();

describe('traces', () => {
  it('are off without an address of a receiver, and nothing of OpenTelemetry is loaded', async () => {
    const loaded: string[] = [];
    const load = (name: string) => void loaded.push(name);
    expect(await openTracing({}, quiet, load)).toBeNull();
    expect(loaded).toEqual([]);
  });

  it('without an SDK, the log says how to get one, and the server has no traces', async () => {
    const warned: string[] = [];
    expect(await openTracing(ENDPOINT, { warn: (line) => void warned.push(line) })).toBeNull();
    expect(warned).toEqual([
      'OTEL_EXPORTER_OTLP_ENDPOINT is set, and there are no traces: install @opentelemetry/sdk-node, or register an SDK with node --import',
    ]);
  });

  it('start the SDK when it is installed, and send the last spans at the end', async () => {
    const done: string[] = [];
    class NodeSDK {
      readonly options: object;
      constructor(options: object) {
        this.options = options;
        done.push(JSON.stringify(options));
      }
      start() {
        done.push('start');
      }
      async shutdown() {
        done.push('shutdown');
      }
    }
    const tracing = await openTracing(ENDPOINT, quiet, () => ({ NodeSDK }));
    await tracing?.close();
    expect(done).toEqual(['{"serviceName":"ringback","instrumentations":[]}', 'start', 'shutdown']);
  });
});

describe('with an SDK', () => {
  let exporter: InMemorySpanExporter;
  beforeEach(() => {
    exporter = new InMemorySpanExporter();
    trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }));
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
    propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  });
  afterEach(() => {
    for (const one of [trace, context, propagation]) one.disable();
  });

  const spanOf = (name: string) => {
    const span = exporter.getFinishedSpans().find((one) => one.name === name);
    if (!span) throw new Error(`no span ${name}`);
    return span;
  };

  it('that node --import has registered, no other one is started', async () => {
    const loaded: string[] = [];
    expect(await openTracing(ENDPOINT, quiet, (name) => void loaded.push(name))).not.toBeNull();
    expect(loaded).toEqual([]);
    expect(exporter.getFinishedSpans()).toEqual([]);
  });

  it('a call has a span from its dial to its end, within the span of the dial, and no span names a user', async () => {
    const tracing = new OpenTelemetry(none);
    const sim = await startSim({ demo: true, port: 0, tracing });
    const [alice, bob] = [await Terminal.signIn(sim, 'alice'), await Terminal.signIn(sim, 'bob')];
    const media = { constraints: { audio: true, video: true }, capabilities: [] };
    const { call_id } = (await alice.send('dial', { callee_id: 'bob', is_video_call: true, ...media })).payload;
    await bob.send('accept', { call_id, ...media });
    const connection = { connection_type: 'host', relay_protocol: null, protocol: 'udp' } as const;
    for (const side of [alice, bob]) await side.send('connected', { call_id, connection, reconnect: false });
    await alice.send('end', { call_id });
    expect((await alice.send('end', { call_id: 'another' })).error).toBeDefined();
    await sim.close();
    await tracing.close();
    const [call, dial, login] = [spanOf('call'), spanOf('command dial'), spanOf('POST /v1/users/{}/login')];
    expect(call.attributes).toMatchObject({ 'ringback.call_id': call_id, 'ringback.result': 'completed' });
    expect(call.events.map(({ name }) => name)).toEqual(['accepted', 'connected', 'begun']);
    expect(call.parentSpanId).toBe(dial.spanContext().spanId);
    expect(dial.attributes).toEqual({ 'ringback.call_id': call_id });
    expect(login.attributes).toMatchObject({ 'http.response.status_code': 200 });
    const refused = exporter.getFinishedSpans().filter(({ attributes }) => attributes['ringback.code'] !== undefined);
    expect(refused.map(({ name }) => name)).toEqual(['command end']);
    const all = exporter
      .getFinishedSpans()
      .map(({ name, attributes, events }) => JSON.stringify([name, attributes, events]));
    expect(all.join('\n')).not.toMatch(/alice|bob|127\.0\.0\.1|localhost/);
  });

  it('a question between nodes carries its trace, and the answer belongs to it; a list has no field for it', async () => {
    const answerers = new Map<string, Answerer>();
    const asked: unknown[] = [];
    const link = new OpenTelemetry(none).link({
      async ask(_node, topic, question) {
        asked.push(question);
        // As the bus does.
        return await answerers.get(topic)?.(JSON.parse(JSON.stringify(question)), 'n1');
      },
      answer(topic, answerer) {
        answerers.set(topic, answerer);
        return () => answerers.delete(topic);
      },
    } satisfies Pick<NodeLink, 'ask' | 'answer'> as unknown as NodeLink);
    link.answer('command', (question) => ({ had: Object.keys(question as object) }));
    link.answer('failing', () => {
      throw new Error('refused');
    });
    expect(await link.ask('n2', 'command', { device: 1 })).toEqual({ had: ['device', 'trace'] });
    expect(spanOf('answer command').parentSpanId).toBe(spanOf('ask command').spanContext().spanId);
    expect(spanOf('answer command').spanContext().traceId).toBe(spanOf('ask command').spanContext().traceId);
    await link.ask('n2', 'command', ['a list']);
    expect(asked[1]).toEqual(['a list']);
    await expect(link.ask('n2', 'failing', {})).rejects.toThrow('refused');
    expect([spanOf('ask failing').status.code, spanOf('answer failing').status.code]).toEqual([2, 2]);
  });
});

it.each([
  ['/v1/users/alice/login', '/v1/users/{}/login'],
  ['/nowhere/alice', '/{}/{}'],
  ['/', '/'],
])('the route of %s is %s', (path, route) => {
  expect(routeOf(path)).toBe(route);
});
