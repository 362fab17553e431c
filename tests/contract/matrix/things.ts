/** Ids that the server assigned while the world was created. */
export const IDS = { votes: {} as Record<string, string>, item: '', report: '', task: '' }

export const ONE = { type: 'messaging', id: 'one' }
export const CID = 'messaging:one'
export const HELLO = { message: { text: 'hello' } }

/** The address of an uploaded file: 32 hexadecimal digits made from the name. */
export function uploadUrl(userId: string): string {
  const digits = Buffer.from(userId).toString('hex').padEnd(32, '0').slice(0, 32)
  return `http://127.0.0.1:9999/files/${digits}/a.txt`
}

/** A query parameter as JSON clients send it. */
export const payload = (value: object) => ({ query: { payload: { filter_conditions: {}, ...value } } })
