/** A device of the browser world: a page in a browser context of its own, seen from Node. */
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { type Acted, ActionImpossible } from '../../../sim/scenario/run/world.ts';
import { type Gate, openGate } from '../real/gate.ts';
import type { BreakableDevice } from '../real/real-faults.ts';
import { type Front, type FrontOptions, openFront } from './front.ts';
import type { ActedInPage, PageNews, PageRole, PageView, Refusal } from './page/page-news.ts';

export interface BrowserDeviceOptions extends FrontOptions {
  readonly browser: Browser;
  readonly role: Omit<PageRole, 'websocketHost'>;
  /** Called when the page reports an event. */
  readonly received: (news: Omit<PageNews, 'view'>) => void;
}

const HOST = '127.0.0.1';

export class BrowserDevice implements BreakableDevice {
  readonly name: string;
  readonly channelGate: Gate;
  readonly httpGate: Gate;
  readonly platform: BreakableDevice['platform'] = {
    devices: {
      fail: (what, error) => {
        this.#send(() =>
          this.#page.evaluate(([which, how]) => scenarioPage.failDevice(which, how), [what, error] as const),
        );
        return () => this.#send(() => this.#page.evaluate((which) => scenarioPage.failDevice(which, undefined), what));
      },
    },
    page: {
      go: (state) => this.#send(() => this.#page.evaluate((next) => scenarioPage.go(next), state)),
      goOnline: () => this.#send(() => this.#page.evaluate(() => scenarioPage.goOnline())),
    },
    clock: { skewWall: (ms) => this.#send(() => this.#page.evaluate((by) => scenarioPage.skewWall(by), ms)) },
  };
  readonly #front: Front;
  readonly #context: BrowserContext;
  readonly #page: Page;
  #view: PageView = { audio: {}, video: {}, told: [], given: [] };

  private constructor(
    name: string,
    parts: { gates: readonly [Gate, Gate]; front: Front; context: BrowserContext; page: Page },
  ) {
    this.name = name;
    [this.channelGate, this.httpGate] = parts.gates;
    this.#front = parts.front;
    this.#context = parts.context;
    this.#page = parts.page;
  }

  /** Opens the page and loads the library. No user is signed in yet. */
  static async open({ browser, role, received, ...front }: BrowserDeviceOptions): Promise<BrowserDevice> {
    const opened = await openFront(front);
    const gates = await Promise.all([openGate(opened.port), openGate(opened.port)]);
    const context = await browser.newContext({ permissions: ['camera', 'microphone'] });
    const page = await context.newPage();
    const device = new BrowserDevice(role.name, { gates, front: opened, context, page });
    await page.exposeFunction('scenarioNews', (news: PageNews) => {
      if (news.view) device.#view = news.view;
      received(news);
    });
    const broken = new Promise<never>((_resolve, reject) => page.once('pageerror', reject));
    broken.catch(() => undefined);
    await page.goto(`http://${HOST}:${device.httpGate.port}/`);
    await Promise.race([broken, page.waitForFunction(() => 'scenarioPage' in globalThis)]);
    await page.evaluate((who) => scenarioPage.begin(who), {
      ...role,
      websocketHost: `ws://${HOST}:${device.channelGate.port}`,
    });
    return device;
  }

  signIn(): Promise<void> {
    return this.#page.evaluate(() => scenarioPage.signIn());
  }

  signOut(): Promise<void> {
    return this.#page.evaluate(() => scenarioPage.signOut());
  }

  /** Returns a state of the person of this page, by its path without their name. */
  read([area = '', what]: readonly string[]): unknown {
    const { call, room, pages, told, audio, video } = this.#view;
    if (area === 'call') return call?.[what ?? 'state'];
    if (area === 'room') return room?.[what ?? 'state'];
    if (area === 'audio') return audio[what ?? ''];
    if (area === 'video') return video[what ?? ''];
    if (area === 'rooms' && what !== undefined) return pages?.[what];
    if (area === 'told') return what === undefined ? [...told] : told.filter((name) => name === what).length;
    return this.#view[area];
  }

  /** Resolves when the action has begun. @throws the error of an immediate refusal. */
  async act(action: string, parameters: Readonly<Record<string, unknown>>): Promise<Acted> {
    const began = await this.#page.evaluate(([what, values]) => scenarioPage.act(what, values), [
      action,
      parameters,
    ] as const);
    if (!('number' in began)) throw errorOf(began);
    const done = this.#over(began);
    done.catch(() => undefined);
    const { waits, idle } = began;
    return { value: this.#given(began), done, waits, ...(idle === undefined ? {} : { idle }) };
  }

  async close(): Promise<void> {
    await this.#context.close();
    await Promise.all([this.channelGate.close(), this.httpGate.close()]);
    await this.#front.close();
  }

  async #over({ number }: ActedInPage): Promise<void> {
    const refusal = await this.#page.evaluate((which) => scenarioPage.over(which), number);
    if (refusal) throw errorOf(refusal);
  }

  /** Returns the value of an action: for a call, its id once it has one. */
  #given({ number }: ActedInPage): unknown {
    const given = () => this.#view.given[number];
    if (typeof given() !== 'object' || given() === null) return given();
    return {
      get id() {
        return (given() as { id?: unknown }).id;
      },
    };
  }

  /** Ignores a message to a page that is closing. */
  #send(command: () => Promise<void>): void {
    command().catch(() => undefined);
  }
}

const errorOf = ({ message, code, isImpossible }: Refusal): Error =>
  isImpossible ? new ActionImpossible(message) : Object.assign(new Error(message), code === undefined ? {} : { code });
