import { useNavigate } from 'react-router-dom';
import type { CallParty } from '../call-state.ts';
import { useServices } from '../../../services/services-context.ts';

interface ChatWith {
  /** Goes to the chat with somebody. */
  open(party: CallParty): Promise<void>;
  /** Says one line to somebody without going there. */
  say(party: CallParty, text: string): Promise<void>;
}

/** The way from a call to the words: the other side of a call is known by their user id, a chat by its address. */
export function useChatWith(): ChatWith {
  const { product, ports } = useServices();
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
