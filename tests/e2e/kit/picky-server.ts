/** A server that refuses uploads of programs: the local server's code with other upload rules. */
import { startServer } from '#main/server/app.ts'
import { systemClock } from '#main/lib/clock.ts'
import { systemIds } from '#main/lib/ids.ts'

const [, , dataFolder = '', apiKey = ''] = process.argv
const { url } = await startServer({
  port: 0,
  dataFolder,
  apiKey,
  secret: process.env['PARLOR_SECRET'] ?? '',
  clock: systemClock,
  ids: systemIds,
  log: () => undefined,
  uploads: { blocked_file_extensions: ['.exe'] },
})
console.log(JSON.stringify({ event: 'listening', url }))
