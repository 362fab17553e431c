/** What a dragged row of the sidebar carries. */
export const CONVERSATION_TYPE = 'text/x-parlor-conversation'

/** Its cid, once it is dropped; browsers keep it to themselves until then. */
export function draggedConversation(data: DataTransfer): string | undefined {
  const cid = data.getData(CONVERSATION_TYPE)
  return cid === '' ? undefined : cid
}
