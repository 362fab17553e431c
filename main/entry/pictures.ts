/** The thread that makes uploaded pictures smaller. Started by `main/server/uploads/pictures/pictures.ts`. */
import { runPictureWorker } from '#main/server/uploads/pictures/pictures.ts'

runPictureWorker()
