/** Account key, cid and thread of a message's notification, as `arrivals.ts` names it; a system may add words of its own. */
const ID = /((?:demo|own|hosted)-[0-9a-f]{24}) ([\w-]{1,64}:[\w!-]{1,64})(?: ([\w-]{1,255}))?/

/** What a notification of an earlier run was about; absent where it was about no one place. */
export function placeOfNotification(
  id: string,
): { readonly account: string; readonly cid: string; readonly parentId?: string } | undefined {
  const [, account, cid, parentId] = ID.exec(id) ?? []
  if (account === undefined || cid === undefined) return undefined
  return { account, cid, ...(parentId === undefined ? {} : { parentId }) }
}
