/** A server whose bank is the process that forked it. The bank survives when this process is killed. */
import * as v from 'valibot';
import type { OrderStatus, PaymentOutcome, PaymentProvider } from '../../sim/product/wallet/payment-provider.ts';
import { startSim } from '../../sim/server/start-sim.ts';

/** The requests of this process to the bank. */
export interface BankQuestion {
  readonly id: number;
  readonly ask: 'begin' | 'status';
  readonly orderNo: string;
}

const failure = v.literal('declined');
const answer = v.object({
  id: v.number(),
  status: v.variant('status', [
    v.object({ status: v.literal('paid') }),
    v.object({ status: v.literal('failed'), failure }),
    v.object({ status: v.literal('unknown') }),
  ]),
});

const waiting = new Map<number, (status: OrderStatus) => void>();
process.on('message', (message) => {
  const { id, status } = v.parse(answer, message);
  waiting.get(id)?.(status);
  waiting.delete(id);
});

let questions = 0;
const asked = (ask: BankQuestion['ask'], orderNo: string) =>
  new Promise<OrderStatus>((resolve) => {
    questions += 1;
    waiting.set(questions, resolve);
    process.send?.({ id: questions, ask, orderNo } satisfies BankQuestion);
  });

const bank: PaymentProvider = {
  async begin({ orderNo }): Promise<PaymentOutcome> {
    const status = await asked('begin', orderNo);
    if (status.status === 'paid' || status.status === 'failed') return status;
    throw new Error(`The bank says ${status.status}.`);
  },
  status: (orderNo) => asked('status', orderNo),
  onUpdate: () => () => undefined,
  play: null,
};

const [database] = process.argv.slice(2);
const sim = await startSim({ demo: true, port: 0, ports: { payments: bank }, ...(database ? { database } : {}) });
process.send?.({ url: sim.url });
