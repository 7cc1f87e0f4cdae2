/**
 * The files of docs/deploy, checked by linters, since no container engine runs here. compose-spec.json is the schema of
 * the Compose Specification (https://github.com/compose-spec/compose-spec, commit 170098b, Apache-2.0).
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { validate } from 'dockerfile-utils';
import { afterAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { readEnvironment } from '../../../sim/server/configuration/environment.ts';
import { Metrics } from '../../../sim/server/operations/metrics.ts';

const FOLDER = 'docs/deploy';
const read = (name: string): string => readFileSync(join(FOLDER, name), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'ringback-deploy-'));
afterAll(() => rmSync(folder, { recursive: true }));
const isInstalled = (program: string): boolean => spawnSync(program, ['--version']).error === undefined;

/** Returns the names of the variables of this program that a text sets, and that a node does not read. */
function unknownVariables(names: readonly string[]): readonly string[] {
  const { faults } = readEnvironment(Object.fromEntries(names.map((name) => [name, '1'])), () => '1');
  return faults.filter((fault) => fault.includes('there is no such variable'));
}

describe('the Dockerfiles', () => {
  it.each(readdirSync(FOLDER).filter((name) => name.endsWith('Dockerfile')))(
    '%s has no finding of its linter',
    (name) => {
      expect(validate(read(name)).map(({ range, message }) => [range.start.line + 1, message])).toEqual([]);
    },
  );

  it('a node runs as another user than root, without packages of development, and has a health check', () => {
    const stages = read('Dockerfile').split(/^FROM /m);
    const last = stages.at(-1) ?? '';
    expect(last).toMatch(/^USER [1-9]\d*:[1-9]\d*$/m);
    expect(last).toMatch(/^HEALTHCHECK [^]*\/healthz/m);
    expect(last).not.toMatch(/--from=build .*node_modules/);
    expect(stages.find((stage) => / AS packages$/m.test(stage))).toContain('npm ci --omit=dev');
    expect(unknownVariables(last.match(/RINGBACK_\w+(?==)/g) ?? [])).toEqual([]);
  });

  it('copy only what the repository has', () => {
    const sources = (text: string) =>
      [...text.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, paths = '']) => paths.split(' '));
    for (const path of sources(read('Dockerfile'))) expect(existsSync(path), path).toBe(true);
    for (const path of sources(read('janus.Dockerfile'))) expect(existsSync(join(FOLDER, path)), path).toBe(true);
  });
});

interface ComposeService {
  readonly image?: string;
  readonly build?: { readonly context: string; readonly dockerfile: string };
  readonly healthcheck?: unknown;
  readonly secrets?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumes?: readonly string[];
  readonly networks?: readonly string[];
  readonly ports?: readonly string[];
  readonly restart?: string;
  readonly stop_grace_period?: string;
  readonly deploy?: { readonly replicas?: number; readonly resources?: { readonly limits?: object } };
}
interface Compose {
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly secrets: Readonly<Record<string, unknown>>;
  readonly networks: Readonly<Record<string, unknown>>;
}

describe('the compose file', () => {
  const compose: Compose = parse(read('compose.yaml'));
  const services = Object.entries(compose.services);

  it('is valid by the schema of the Compose Specification', () => {
    const schema = JSON.parse(readFileSync(join(import.meta.dirname, 'compose-spec.json'), 'utf8'));
    // The schema names its dialect without the "#" that ajv knows it by.
    const check = new Ajv({ strict: false, validateFormats: false, allErrors: true }).compile({
      ...schema,
      $schema: undefined,
    });
    check(compose);
    expect(check.errors ?? []).toEqual([]);
    expect(check({ services: { node: { imag: 'x' } } })).toBe(false);
  });

  it('has three nodes, and each service has limits and restarts', () => {
    expect(compose.services['node']?.deploy?.replicas).toBe(3);
    for (const [name, { deploy, restart }] of services) {
      expect(deploy?.resources?.limits, name).toEqual({ cpus: expect.any(String), memory: expect.any(String) });
      expect(restart, name).toBe('unless-stopped');
    }
  });

  it('each service has a health check, of its own or of its image, except the balancer', () => {
    for (const [name, { healthcheck, build }] of services) {
      const ofImage = build ? read(build.dockerfile.replace(`${FOLDER}/`, '')).includes('\nHEALTHCHECK ') : false;
      expect(healthcheck !== undefined || ofImage || name === 'balancer', name).toBe(true);
    }
  });

  it('S46 has no secret as text: each is a file, and each file that a service names is given to it', () => {
    const used = new Set(services.flatMap(([, { secrets = [] }]) => secrets));
    expect([...used].toSorted()).toEqual(Object.keys(compose.secrets).toSorted());
    for (const [name, service] of services) {
      for (const [, secret = ''] of JSON.stringify(service).matchAll(/\/run\/secrets\/(\w+)/g))
        expect(service.secrets, name).toContain(secret);
      const secretNames = Object.keys(service.environment ?? {}).filter((key) => /SECRET|PASSWORD|TOKEN/.test(key));
      for (const key of secretNames) expect(key).toMatch(/_FILE$/);
    }
  });

  it('a node sets only variables that it reads, and its grace is longer than its drain', () => {
    const { environment = {}, stop_grace_period: grace = '' } = compose.services['node'] ?? {};
    expect(unknownVariables(Object.keys(environment))).toEqual([]);
    expect(Number.parseInt(grace, 10)).toBeGreaterThanOrEqual(Number(environment['RINGBACK_DRAIN_MS']) / 1_000 + 10);
  });

  it('only the balancer, the relay and the media of Janus are reachable from outside', () => {
    expect(services.flatMap(([name, { ports }]) => (ports ? [name] : []))).toEqual(['balancer', 'relay', 'janus']);
    expect(compose.services['janus']?.ports).toEqual(['20000-20499:20000-20499/udp']);
  });
});

describe('the unit of systemd', () => {
  const unit = read('ringback@.service');

  it('sets only variables that a node reads, and waits for a drain of five minutes', () => {
    const names = [...unit.matchAll(/^Environment=(\w+)=/gm)].map(([, name = '']) => name);
    expect(unknownVariables(names)).toEqual([]);
    expect(unit).toMatch(/^TimeoutStopSec=310$/m);
    for (const [, credential = ''] of unit.matchAll(/_FILE=%d\/(\S+)/g)) {
      expect(unit).toContain(`\nLoadCredential=${credential}:`);
    }
  });

  it.skipIf(!isInstalled('systemd-analyze'))('passes systemd-analyze, with an exposure below 2', () => {
    const path = join(folder, 'ringback@.service');
    writeFileSync(path, unit.replace('/usr/bin/node', process.execPath));
    const verified = spawnSync('systemd-analyze', ['verify', '--man=no', path], { encoding: 'utf8' });
    expect([verified.status, verified.stderr]).toEqual([0, '']);
    const judged = spawnSync('systemd-analyze', ['security', '--offline=true', '--threshold=20', path]);
    expect(judged.status).toBe(0);
  });
});

describe('the configuration of HAProxy', () => {
  const text = read('haproxy.cfg');

  it('publishes no probe and no metric, and uses the nodes that run when none is ready', () => {
    expect(text).toMatch(/http-request deny if \{ path \/healthz \/readyz \/metrics \}/);
    expect(text).toMatch(/use_backend running if \{ nbsrv\(ready\) eq 0 \}/);
  });

  it.skipIf(spawnSync('haproxy', ['-v']).error !== undefined)('passes haproxy -c', () => {
    const pem = join(folder, 'tls.pem');
    const made = spawnSync(
      'openssl',
      [
        'req',
        '-x509',
        '-newkey',
        'ec',
        '-pkeyopt',
        'ec_paramgen_curve:prime256v1',
        '-nodes',
        '-subj',
        '/CN=localhost',
      ].concat(['-keyout', join(folder, 'key.pem'), '-out', join(folder, 'cert.pem')]),
    );
    expect(made.status).toBe(0);
    writeFileSync(pem, ['cert.pem', 'key.pem'].map((name) => readFileSync(join(folder, name), 'utf8')).join(''));
    const path = join(folder, 'haproxy.cfg');
    writeFileSync(path, text.replace('/run/secrets/tls', pem));
    const checked = spawnSync('haproxy', ['-c', '-f', path], { encoding: 'utf8' });
    expect([checked.status, checked.stderr]).toEqual([0, expect.not.stringContaining('WARNING')]);
  });
});

describe('the metrics', () => {
  const metrics = new Metrics({
    connections: () => 0,
    calls: () => [],
    rooms: () => [],
    services: () => new Map([['database', 'ok']]),
    loopDelay: () => ({ p99Ms: 1, maxMs: 1 }),
  });
  const exported = async (): Promise<ReadonlySet<string>> =>
    new Set([...(await metrics.text()).matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name = '']) => name));
  const namesIn = (text: string): readonly string[] =>
    [...new Set(text.match(/\bringback_\w+/g) ?? [])].map((name) => name.replace(/_(bucket|sum|count)$/, ''));

  it.each(['grafana.json', 'alerts.yaml'])('%s queries only metrics that a node exports', async (name) => {
    const known = await exported();
    expect(known.size).toBeGreaterThan(10);
    expect(namesIn(read(name)).filter((one) => !known.has(one))).toEqual([]);
  });

  it('the dashboard shows each of them, and docs/running.md explains each', async () => {
    const known = [...(await exported())];
    const shown = namesIn(read('grafana.json'));
    expect(known.filter((name) => !shown.includes(name))).toEqual([]);
    const explained = readFileSync('docs/running.md', 'utf8');
    expect(known.filter((name) => !explained.includes(`\n| \`${name}\``))).toEqual([]);
    const rows = [...explained.matchAll(/^\| `(ringback_\w+)`/gm)].map(([, name = '']) => name);
    expect(rows.filter((name) => !known.includes(name))).toEqual([]);
  });

  it('each panel of the dashboard has a query, its own place and its own number', () => {
    interface Panel {
      readonly id: number;
      readonly type: string;
      readonly gridPos: { readonly x: number; readonly y: number; readonly w: number };
      readonly targets?: readonly { readonly expr: string }[];
    }
    const panels: readonly Panel[] = JSON.parse(read('grafana.json')).panels;
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    expect(new Set(panels.map(({ gridPos: { x, y } }) => `${x} ${y}`)).size).toBe(panels.length);
    for (const { type, targets = [], gridPos } of panels) {
      expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24);
      if (type !== 'row') expect(targets.every(({ expr }) => expr.includes('$job')) && targets.length > 0).toBe(true);
    }
  });

  it('each alert has a rule with a time, and names its severity', () => {
    interface Rule {
      readonly alert: string;
      readonly expr: string;
      readonly for: string;
      readonly labels: { readonly severity: string };
      readonly annotations: { readonly summary: string };
    }
    const { groups }: { readonly groups: readonly { readonly rules: readonly Rule[] }[] } = parse(read('alerts.yaml'));
    const rules = groups.flatMap((group) => group.rules);
    expect(rules.length).toBeGreaterThan(5);
    for (const rule of rules) {
      expect(rule.for).toMatch(/^\d+[sm]$/);
      expect(['page', 'ticket']).toContain(rule.labels.severity);
      expect(rule.annotations.summary).not.toBe('');
    }
  });
});
