/** Ids that the server gave while the world was made. */
export const IDS = { votes: {} as Record<string, string>, item: '', report: '', task: '' }

export const ONE = { type: 'messaging', id: 'one' }
export const CID = 'messaging:one'
export const HELLO = { message: { text: 'hello' } }

/** The address of what someone uploaded: 32 hexadecimal digits made of the name. */
export function uploadUrl(userId: string): string {
  const digits = Buffer.from(userId).toString('hex').padEnd(32, '0').slice(0, 32)
  return `http://127.0.0.1:9999/files/${digits}/a.txt`
}

/** A query parameter as JSON clients send it. */
export const payload = (value: object) => ({ query: { payload: { filter_conditions: {}, ...value } } })
