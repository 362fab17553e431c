export { ArrivalToasts } from './ArrivalToasts.tsx'
export { LevelChoice } from './LevelChoice.tsx'
