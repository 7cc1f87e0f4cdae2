import { declinedPayments } from '../../product/wallet/payment-provider.ts';
import type { SimOptions } from '../start-sim.ts';
import { createWebhookCourier } from '../webhook-courier.ts';
import type { Services } from './read-configuration.ts';
import type { Configuration } from './schema.ts';

/** Returns the options of a server for the services around it, except its database. */
export function serviceOptionsOf({
  redis,
  relay,
  janus,
}: Omit<Services, 'database'>): Pick<SimOptions, 'redis' | 'relay' | 'relayCheck' | 'janus'> {
  return {
    ...(redis === undefined ? {} : { redis: { url: redis.url } }),
    ...(relay === undefined
      ? {}
      : {
          relay: { urls: relay.urls, secret: relay.secret, ...(relay.policy ? { policy: relay.policy } : {}) },
          relayCheck: relay.check,
        }),
    ...(janus === undefined ? {} : { janus: { urls: janus.urls, secret: janus.secret ?? null } }),
  };
}

/** Returns the options for a server of this configuration: never a demo, and no scripts. */
export function simOptionsOf(configured: Configuration): SimOptions {
  const { host, port, appId, publicUrl, allowedHosts, allowedOrigins, trustedProxies, billing } = configured;
  const { database, courier, push, webhookHosts, metricsToken, rooms } = configured;
  const { url, name, connections, statementMs, connectMs } = database;
  return {
    demo: false,
    ...{ host, port, appId, publicUrl, allowedOrigins, trustedProxies, billing, webhookHosts },
    allowedHosts: [new URL(publicUrl).hostname, ...allowedHosts],
    database: url,
    databaseLimits: {
      ...(connections === undefined ? {} : { connections }),
      ...(statementMs === undefined ? {} : { statementMs }),
      ...(connectMs === undefined ? {} : { connectMs }),
    },
    ports: {
      courier: createWebhookCourier(courier),
      // The payments of the demo give coins for free.
      payments: declinedPayments,
      ...(push === undefined
        ? {}
        : { push: { ...(push.subject ? { subject: push.subject } : {}), ...(push.keys ? { keys: push.keys } : {}) } }),
    },
    // Loopback clients come through a proxy on this machine: they are no tests.
    loopbackFactor: 1,
    ...(name === undefined ? {} : { name }),
    ...serviceOptionsOf(configured),
    ...(rooms === undefined
      ? {}
      : {
          roomUdp: {
            ...(rooms.addresses ? { addresses: rooms.addresses } : {}),
            ...(rooms.ports ? { ports: rooms.ports } : {}),
          },
        }),
    ...(metricsToken === undefined ? {} : { metricsToken }),
  };
}
