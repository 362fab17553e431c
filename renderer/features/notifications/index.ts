export { ArrivalToasts } from './ArrivalToasts.tsx'
