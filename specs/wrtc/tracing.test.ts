/** A trace of a call whose devices are at two nodes, over a real Redis and PostgreSQL. */
import { context, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { afterEach, expect, test } from 'vitest';
import { startSim } from '../../sim/server/start-sim.ts';
import { OpenTelemetry } from '../../sim/server/tracing/open-telemetry.ts';
import { scaled } from '../../tools/run/machine-factor.ts';
import { Terminal } from '../contract/exchange/terminals.ts';
import { NO_REDIS_SERVER, startRedis } from '../contract/shared-state/redis-server.ts';
import { makeSchema, NO_POSTGRES } from '../contract/store/postgres-schema.ts';

const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const one of undo.splice(0).toReversed()) await one();
});

test.skipIf(NO_POSTGRES !== undefined || NO_REDIS_SERVER !== undefined)(
  'the accept of a device at another node is one trace: its command, the question to the owner, and the answer there',
  { timeout: scaled(60_000) },
  async () => {
    const exporter = new InMemorySpanExporter();
    trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }));
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
    propagation.setGlobalPropagator(new W3CTraceContextPropagator());
    undo.push(() => {
      for (const one of [trace, context, propagation]) one.disable();
    });
    const schema = await makeSchema();
    undo.push(() => schema.drop());
    const redis = await startRedis();
    undo.push(() => redis.dispose());
    const startNode = async () => {
      const tracing = new OpenTelemetry(() => Promise.resolve());
      const node = await startSim({ demo: true, port: 0, database: schema.url, redis: { url: redis.url }, tracing });
      undo.push(() => node.close());
      return node;
    };
    const [first, second] = [await startNode(), await startNode()];
    const [alice, bob] = [await Terminal.signIn(first, 'alice'), await Terminal.signIn(second, 'bob')];
    undo.push(() => [alice, bob].map((one) => one.disconnect()));
    const media = { constraints: { audio: true, video: false }, capabilities: [] };
    const { call_id } = (await alice.send('dial', { callee_id: 'bob', is_video_call: false, ...media })).payload;
    await expect.poll(() => bob.events.map(({ type }) => type), { timeout: scaled(10_000) }).toContain('dial');
    expect((await bob.send('accept', { call_id, ...media })).error).toBeUndefined();
    const spans = exporter.getFinishedSpans();
    const accept = spans.find(({ name }) => name === 'command accept');
    const traceId = accept?.spanContext().traceId;
    const inTrace = spans.filter((span) => span.spanContext().traceId === traceId);
    expect(inTrace.map(({ name }) => name).toSorted()).toEqual(['answer command', 'ask command', 'command accept']);
    const [ask, answer] = ['ask command', 'answer command'].map((wanted) =>
      inTrace.find(({ name }) => name === wanted),
    );
    expect(ask?.parentSpanId).toBe(accept?.spanContext().spanId);
    expect(answer?.parentSpanId).toBe(ask?.spanContext().spanId);
    await alice.send('end', { call_id });
    await expect.poll(() => exporter.getFinishedSpans().map(({ name }) => name)).toContain('call');
  },
);
