/** Where an upload is fetched: an unguessable id, then its name for people. */
export function fileUrl(baseUrl: string, id: string, name: string): string {
  return `${baseUrl}/files/${id}/${encodeURIComponent(name)}`
}

const OURS = /^https?:\/\/(?:127\.0\.0\.1|localhost):\d+\/files\/([a-f0-9]{32})(?:\/|$)/

/** The id in one of our URLs. The port may be another one than today's: it changes from start to start. */
export function fileIdIn(url: string): string | undefined {
  return OURS.exec(url)?.[1]
}
