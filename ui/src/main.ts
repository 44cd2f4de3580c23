import "./lib/i18n/engineLanguage";
import "./app.css";

import { mount } from "svelte";

import App from "./App.svelte";
import { Answers } from "./lib/data/answers";
import { openHost } from "./lib/host/host";

const target = document.getElementById("app");
if (target) {
  const answers = new Answers(await openHost());
  mount(App, { target, props: { answers } });
}
