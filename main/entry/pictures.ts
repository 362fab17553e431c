/** The thread that makes uploaded pictures smaller. Started by `main/server/uploads/pictures.ts`. */
import { runPictureWorker } from '#main/server/uploads/pictures.ts'

runPictureWorker()
