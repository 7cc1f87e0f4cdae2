import { useNavigate } from 'react-router-dom';
import type { CallParty } from '../../../../react/index.ts';
import { usePorts, useProduct } from '../../../core/hooks/areas.ts';

interface ChatWith {
  /** Opens the chat with a user. */
  open(party: CallParty): Promise<void>;
  /** Sends one line to a user without opening the chat. */
  say(party: CallParty, text: string): Promise<void>;
}

/**
 * Returns the functions that open a chat from a call. A call has a user id, and the server returns the address of the
 * chat for it.
 */
export function useChatWith(): ChatWith {
  const ports = usePorts();
  const { product } = useProduct();
  const navigate = useNavigate();

  async function channelOf(party: CallParty): Promise<string> {
    const { channel_url } = await product.ask('openChannel', { body: { u_id: party.userId } });
    return channel_url;
  }

  return {
    async open(party) {
      try {
        await navigate(`/man-chat-list/${encodeURIComponent(await channelOf(party))}`);
      } catch (error) {
        ports.logger.warn('the chat was not opened', error);
        await navigate('/man-chat-list');
      }
    },
    async say(party, text) {
      try {
        const channel_url = await channelOf(party);
        const said = { client_id: ports.newId(), type: 'text', text } as const;
        await product.ask('sendMessage', { params: { channel_url }, body: said });
      } catch (error) {
        ports.logger.warn('the reply was not sent', error);
      }
    },
  };
}
