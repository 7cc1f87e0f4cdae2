/** A user with only a keyboard. The test checks the focus after each key. */
import { type ElementHandle, expect, type Locator, type Page } from '@playwright/test';

export interface Keys {
  /** Presses Tab, or Shift+Tab, until the element has the focus. */
  to(target: Locator): Promise<void>;
  /** Moves the focus to the element, and presses a key. Default: Enter. */
  press(target: Locator, key?: string): Promise<void>;
  /** Presses keys in turn on the focused element. */
  hit(...keys: readonly string[]): Promise<void>;
  /** Moves the focus to the field, and replaces its text. */
  write(target: Locator, text: string): Promise<void>;
  /**
   * Checks that the element has the focus, and keeps it after the page was drawn. Only then does a browser remove
   * the focus from an element that cannot have it.
   */
  stays(target: Locator): Promise<void>;
}

/** The frames of the browser, and those in which the app restores the focus. */
const FRAMES_TO_SETTLE = 4;
/** More tab stops than any screen has between two elements. */
const MOST_STOPS = 120;

export function keysOf(page: Page): Keys {
  const lookAtFocus = (): Promise<void> =>
    expect.poll(() => page.evaluate(faultOfFocus), 'where the focus is').toBeNull();
  async function hit(...keys: readonly string[]): Promise<void> {
    for (const key of keys) {
      await page.keyboard.press(key);
      await lookAtFocus();
    }
  }

  async function to(target: Locator): Promise<void> {
    await expect(target).toBeVisible();
    // Finding an element by its role is slow. So it is found once, and again only after the page replaced it.
    let element = await elementOf(target);
    for (let stops = 0; stops < MOST_STOPS; stops += 1) {
      const way = await element.evaluate(wayTo);
      if (way === 'there') return;
      if (way === 'gone') element = await elementOf(target);
      else await hit(way);
    }
    throw new Error(`Tab does not lead to ${String(target)}`);
  }

  return {
    hit,
    to,
    async press(target, key = 'Enter') {
      await to(target);
      await hit(key);
    },
    async write(target, text) {
      await to(target);
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.type(text);
      await lookAtFocus();
    },
    async stays(target) {
      await expect(target).toBeFocused();
      await page.evaluate(drawn, FRAMES_TO_SETTLE);
      expect(await target.evaluate((element) => element === document.activeElement), 'it has the focus still').toBe(
        true,
      );
    },
  };
}

async function elementOf(target: Locator): Promise<ElementHandle> {
  const element = await target.elementHandle();
  if (!element) throw new Error(`${String(target)} is not there`);
  return element;
}

/** In the page: returns the key that leads to an element, whether it has the focus, or that it left the page. */
function wayTo(element: Node): 'Tab' | 'Shift+Tab' | 'there' | 'gone' {
  const focused = document.activeElement ?? document.body;
  if (element === focused) return 'there';
  if (!element.isConnected) return 'gone';
  return element.compareDocumentPosition(focused) & Node.DOCUMENT_POSITION_FOLLOWING ? 'Shift+Tab' : 'Tab';
}

/** In the page: waits until this number of frames was drawn. */
async function drawn(frames: number): Promise<void> {
  for (let frame = 0; frame < frames; frame += 1) await new Promise(requestAnimationFrame);
}

/** In the page: returns the fault of the focus. Null when a visible element has it. */
function faultOfFocus(): string | null {
  const focused = document.activeElement;
  if (focused === null || focused === document.body) return 'the focus is lost';
  const name = focused.outerHTML.slice(0, 120);
  if (!focused.checkVisibility({ visibilityProperty: true })) return `the focus is on what is not to be seen: ${name}`;
  // Elements that a screen reader reads when they get the focus: headings, screens and sheets.
  if (focused.getAttribute('tabindex') === '-1' && !focused.matches('button, a, input')) return null;
  if (![focused, ...standIns(focused)].some(hasRing)) return `the focus has no ring: ${name}`;
  const { top, bottom, left, right } = focused.getBoundingClientRect();
  const isInWindow = bottom > 0 && top < innerHeight && right > 0 && left < innerWidth;
  return isInWindow ? null : `the focus is out of sight: ${name}`;

  /** The element that shows the focus ring of a hidden input: its label, or the element behind it. */
  function standIns(element: Element): Element[] {
    const label = element.closest('label');
    return [element.nextElementSibling, label].filter((one) => one !== null);
  }

  function hasRing(element: Element): boolean {
    const { outlineStyle, outlineWidth, opacity } = getComputedStyle(element);
    return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2 && Number(opacity) > 0;
  }
}
