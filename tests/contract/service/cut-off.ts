import { unpack, pack, type OnProgress } from '#main/server/store/moving/workspace-file.ts'

/** `COMMAND FILE FOLDER STEP SHARE`: packs or unpacks, and ends itself with SIGKILL at this share of the step. */

const [command, file = '', folder = '', step, share] = process.argv.slice(2)
const onProgress: OnProgress = (now, done, total) => {
  if (now === step && done >= total * Number(share)) process.kill(process.pid, 'SIGKILL')
}
if (command === 'pack') await pack(folder, file, { force: true, nowMs: Date.now(), owner: 'ann', onProgress })
else await unpack(file, folder, { onProgress })
