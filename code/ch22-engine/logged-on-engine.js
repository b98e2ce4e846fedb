import { log, secureFields } from "velocy";
import { router } from "./typical.js";

router.use(log(), secureFields());
await import("./on-engine.js");
