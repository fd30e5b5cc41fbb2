// The pill is no part of what one writes with; it comes beside it.
import { later } from "../../ui/later.tsx";

export const LaterPill = later(() => import("./ConnectionPill.tsx"), "ConnectionPill");
