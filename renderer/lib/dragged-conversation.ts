/** Data type of a dragged sidebar row. */
export const CONVERSATION_TYPE = 'text/x-parlor-conversation'

/** The cid of the dragged row. Browsers reveal it only on drop. */
export function draggedConversation(data: DataTransfer): string | undefined {
  const cid = data.getData(CONVERSATION_TYPE)
  return cid === '' ? undefined : cid
}
