/** A document that React renders into, without a browser: elements have children, properties and listeners, no layout. */
import { type ReactNode, StrictMode, act } from 'react';
import { createRoot } from 'react-dom/client';

class PageNode extends EventTarget {
  readonly nodeType: number;
  readonly nodeName: string;
  readonly ownerDocument: PageDocument | null;
  parentNode: PageNode | null = null;
  childNodes: PageNode[] = [];
  #text = '';

  constructor(nodeType: number, nodeName: string, ownerDocument: PageDocument | null) {
    super();
    this.nodeType = nodeType;
    this.nodeName = nodeName;
    this.ownerDocument = ownerDocument;
  }

  get firstChild(): PageNode | null {
    return this.childNodes[0] ?? null;
  }

  get textContent(): string {
    return this.#text + this.childNodes.map((child) => child.textContent).join('');
  }

  set textContent(text: string) {
    this.childNodes = [];
    this.#text = text;
  }

  get nodeValue(): string {
    return this.#text;
  }

  set nodeValue(text: string) {
    this.#text = text;
  }

  appendChild(child: PageNode): PageNode {
    return this.insertBefore(child, null);
  }

  insertBefore(child: PageNode, before: PageNode | null): PageNode {
    child.parentNode?.removeChild(child);
    const at = before === null ? this.childNodes.length : this.childNodes.indexOf(before);
    this.childNodes.splice(at, 0, child);
    child.parentNode = this;
    return child;
  }

  removeChild(child: PageNode): PageNode {
    this.childNodes.splice(this.childNodes.indexOf(child), 1);
    child.parentNode = null;
    return child;
  }

  /** Returns what a failed test prints. */
  toJSON(): string {
    return `<${this.nodeName}>`;
  }

  contains(other: PageNode | null): boolean {
    return other === this || (other !== null && this.contains(other.parentNode));
  }
}

/** An element. Its attributes are in a map, and everything that React sets as a property is a property. */
export class PageElement extends PageNode {
  readonly namespaceURI = 'http://www.w3.org/1999/xhtml';
  readonly attributes = new Map<string, string>();
  readonly style: Record<string, string> = {};
  /** The stream of a media element. */
  srcObject: unknown = null;

  get tagName(): string {
    return this.nodeName;
  }

  setAttribute(name: string, value: string): void {
    this.attributes.set(name.toLowerCase(), value);
  }

  removeAttribute(name: string): void {
    this.attributes.delete(name.toLowerCase());
  }
}

class PageDocument extends PageNode {
  activeElement: PageElement | null = null;
  readonly defaultView: typeof globalThis;
  readonly documentElement: PageElement;

  constructor(view: typeof globalThis) {
    super(9, '#document', null);
    this.defaultView = view;
    this.documentElement = this.createElement('html');
  }

  createElement(name: string): PageElement {
    return new PageElement(1, name.toUpperCase(), this);
  }

  createTextNode(text: string): PageNode {
    const node = new PageNode(3, '#text', this);
    node.nodeValue = text;
    return node;
  }
}

/** The names that React and the binding read from the page. */
const NAMES = [
  'window',
  'document',
  'navigator',
  'addEventListener',
  'removeEventListener',
  'HTMLIFrameElement',
  'IS_REACT_ACT_ENVIRONMENT',
] as const;

/** A mounted tree. */
export interface Mounted {
  readonly root: PageElement;
  /** Renders other content in the same place. */
  render(content: ReactNode): Promise<void>;
  /** Removes the content. */
  unmount(): Promise<void>;
  /** Runs what changes the state outside of React, and waits until React has rendered the change. */
  act(change: () => unknown): Promise<void>;
}

/** Returns every element below a node with this name, in the order of the document. */
export function elementsOf(root: PageNode, name: string): PageElement[] {
  return root.childNodes.flatMap((child) => [
    ...(child instanceof PageElement && child.nodeName === name.toUpperCase() ? [child] : []),
    ...elementsOf(child, name),
  ]);
}

/**
 * Makes the page for the time of a test. React runs each effect twice, as in the strict mode of development.
 *
 * @returns the function that mounts content, and the function that removes the page.
 */
export function openPage(): { mount(content: ReactNode): Promise<Mounted>; close(): Promise<void> } {
  const before = NAMES.map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const);
  const document = new PageDocument(globalThis);
  const network = Object.assign(new EventTarget(), { onLine: true });
  const values = [
    globalThis,
    document,
    network,
    network.addEventListener.bind(network),
    network.removeEventListener.bind(network),
    function HTMLIFrameElement() {},
    true,
  ];
  for (const [at, name] of NAMES.entries())
    Object.defineProperty(globalThis, name, { value: values[at], configurable: true, writable: true });
  const mounted = new Set<Mounted>();

  async function mount(content: ReactNode): Promise<Mounted> {
    const root = document.documentElement.appendChild(document.createElement('main')) as PageElement;
    const reactRoot = createRoot(root as never);
    const one: Mounted = {
      root,
      render: (next) => act(async () => reactRoot.render(<StrictMode>{next}</StrictMode>)),
      unmount: async () => {
        mounted.delete(one);
        await act(async () => reactRoot.unmount());
      },
      act: (change) =>
        act(async () => {
          await change();
        }),
    };
    mounted.add(one);
    await one.render(content);
    return one;
  }

  return {
    mount,
    async close() {
      for (const one of mounted) await one.unmount();
      for (const [name, descriptor] of before) {
        if (descriptor === undefined) Reflect.deleteProperty(globalThis, name);
        else Object.defineProperty(globalThis, name, descriptor);
      }
    },
  };
}
