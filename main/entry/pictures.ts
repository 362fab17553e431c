/** The thread that makes uploaded pictures smaller. Started by `main/server/pictures/pictures.ts`. */
import { runPictureWorker } from '#main/server/pictures/worker.ts'

runPictureWorker()
