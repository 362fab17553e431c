/** Account key, cid and thread in a notification's id, as `arrivals.ts` writes it; a system may add other text. */
const ID = /((?:demo|own|hosted)-[0-9a-f]{24}) ([\w-]{1,64}:[\w!-]{1,64})(?: ([\w-]{1,255}))?/

/** The place of a notification from an earlier run; absent if it had none. */
export function placeOfNotification(
  id: string,
): { readonly account: string; readonly cid: string; readonly parentId?: string } | undefined {
  const [, account, cid, parentId] = ID.exec(id) ?? []
  if (account === undefined || cid === undefined) return undefined
  return { account, cid, parentId }
}
