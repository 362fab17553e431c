/** Where an upload is fetched: an unguessable id, then its name for people. */
export function fileUrl(baseUrl: string, id: string, name: string): string {
  return `${baseUrl}/files/${id}/${encodeURIComponent(name)}`
}

const OURS = /^https?:\/\/(?:127\.0\.0\.1|localhost):\d+\/files\/([a-f0-9]{32})(?:\/|$)/

/** The id in one of our URLs. The port may be another one than today's: it changes from start to start. */
export function fileIdIn(url: string): string | undefined {
  return OURS.exec(url)?.[1]
}

const ANY_OURS = /http:\/\/(?:127\.0\.0\.1|localhost):\d+\/files\//g

/** Stored URLs with today's port: the server may listen on another one after each start. */
export function freshUrls(text: string, baseUrl: string): string {
  return text.includes('/files/') ? text.replaceAll(ANY_OURS, `${baseUrl}/files/`) : text
}
