"""The tokens of public tokenizers and chat templates, by who has them."""

from __future__ import annotations

import html

import pytest

from webward.config import ReadOptions, Rendition
from webward.content.media import ContentKind
from webward.content.sanitize import scrub
from webward.engine.content import ContentJob, read_content

FAMILIES = {
    "ChatML, Qwen": ["<|im_start|>", "<|im_end|>", "<|endoftext|>", "<|im_sep|>", "<tool_call>", "</tool_call>"],
    "Llama 2": ["<s>", "</s>", "<unk>", "[INST]", "[/INST]", "<<SYS>>", "<</SYS>>"],
    "Llama 3": [
        "<|begin_of_text|>",
        "<|start_header_id|>",
        "<|eot_id|>",
        "<|python_tag|>",
        "<|finetune_right_pad_id|>",
    ],
    "Llama 3, reserved": ["<|reserved_special_token_0|>", "<|reserved_special_token_247|>"],
    "Llama 4": ["<|header_start|>", "<|eot|>", "<|eom|>", "<|vision_reserved_special_token_0|>"],
    "Mistral": ["[TOOL_CALLS]", "[AVAILABLE_TOOLS]", "[/AVAILABLE_TOOLS]", "[TOOL_RESULTS]", "[/TOOL_RESULTS]"],
    "Mistral, later": ["[SYSTEM_PROMPT]", "[/SYSTEM_PROMPT]", "[TOOL_CONTENT]", "[CALL_ID]", "[THINK]", "[/THINK]"],
    "Mistral, media": ["[IMG_BREAK]", "[IMG_END]", "[BEGIN_AUDIO]", "[TRANSCRIBE]", "<SPECIAL_20>"],
    "Gemma": [
        "<bos>",
        "<eos>",
        "<pad>",
        "<mask>",
        "<start_of_turn>",
        "<end_of_turn>",
        "<unused99>",
        "<2mass>",
        "[@BOS@]",
    ],
    "Gemma, media": ["<start_of_image>", "<end_of_image>", "<image_soft_token>", "<audio_soft_token>"],
    "Gemma 4": ["<|turn>", "<turn|>", "<|channel>", "<channel|>", "<|tool_call>", "<|think|>", '<|"|>'],
    "DeepSeek": [
        "<\uff5cbegin\u2581of\u2581sentence\uff5c>",
        "<\uff5cUser\uff5c>",
        "<\uff5cAssistant\uff5c>",
        "<\uff5cfim\u2581hole\uff5c>",
        "<|EOT|>",
        "<think>",
    ],
    "DeepSeek, tools": [
        "<\uff5ctool\u2581calls\u2581begin\uff5c>",
        "<\uff5ctool\u2581call\u2581end\uff5c>",
        "<\uff5ctool\u2581sep\uff5c>",
        "\uff5cDSML\uff5c",
    ],
    "Phi": ["<|system|>", "<|user|>", "<|assistant|>", "<|end|>", "<|tool|>", "<|placeholder1|>"],
    "Command R": ["<BOS_TOKEN>", "<EOS_TOKEN>", "<|START_OF_TURN_TOKEN|>", "<|CHATBOT_TOKEN|>", "<|START_ACTION|>"],
    "Granite": ["<|start_of_role|>", "<|end_of_role|>", "<|end_of_text|>", "<|tool_call|>"],
    "gpt-oss": ["<|start|>", "<|channel|>", "<|message|>", "<|constrain|>", "<|call|>", "<|return|>"],
    "Kimi": ["<|im_user|>", "<|im_middle|>", "<|open|>", "<|end_of_msg|>", "[BOS]", "[EOS]", "[EOT]", "[PAD]", "[UNK]"],
    "GLM": ["[gMASK]", "[sMASK]", "<sop>", "<eop>", "<|observation|>", "<arg_key>", "</arg_value>"],
    "Falcon": [">>TITLE<<", ">>QUESTION<<", ">>ANSWER<<"],
    "BERT": ["[CLS]", "[SEP]", "[MASK]", "[PAD]", "[UNK]"],
    "T5, XLNet": ["<extra_id_0>", "<extra_id_99>", "<cls>", "<sep>", "<special0>", "<mask_1>"],
    "Nemotron": ["<SPECIAL_10>", "<AVAILABLE_TOOLS>", "</AVAILABLE_TOOLS>", "<TOOLCALL>", "<TOOL_RESPONSE>"],
    "EXAONE": ["[|system|]", "[|user|]", "[|assistant|]", "[|endofturn|]"],
    "MiniMax": ["]~!b[", "]~b]", "[e~[", "<minimax:tool_call>", '<invoke name="x">'],
    "Seed": ["<seed:bos>", "<seed:tool_call>", "<function=x>", "<parameter=x>"],
    "Hunyuan": [
        "<\uff5chy_begin\u2581of\u2581sentence\uff5c>",
        "<\uff5chy_place\u2581holder\u2581no\u25812\uff5c>",
        "<|startoftext|>",
        "<|extra_0|>",
        "<tool_sep>",
    ],
    "Baichuan, InternLM": ["<reserved_106>", "<eoh>", "<eoa>", "[UNUSED_TOKEN_146]", "<TOKENS_UNUSED_1>"],
    "MiniCPM, Ling": ["<用户>", "<AI>", "<role>ASSISTANT</role>"],
    "Apriel": ["[BEGIN FINAL RESPONSE]", "<|begin_assistant|>"],
    "StarCoder": ["<fim_prefix>", "<fim_middle>", "<file_sep>", "<repo_name>", "<issue_start>", "<jupyter_code>"],
    "Vision": ["<end_of_utterance>", "<fake_token_around_image>", "<row_1_col_2>", "<im_patch>", "<IMG_CONTEXT>"],
}
TOKENS = [token for tokens in FAMILIES.values() for token in tokens]

PLACES = {
    "text": "<p>a {} b",
    "word": "<p>a{}b",
    "beginning": "<p>{} b",
    "code": "<p><code>{}</code>",
    "block of code": "<pre>x\n{}y\n</pre>",
    "cell": "<table><tr><th>a<th>b<tr><td>{}<td>c</table>",
    "link": "<p><a href=/x>{}</a>",
    "heading": "<h2>{}</h2>",
    "bold": "<p>x<b>{}</b>y",
    "picture": "<p><img src=/x.png alt='{}'>",
}


@pytest.mark.parametrize("token", TOKENS)
def test_a_token_is_broken_and_its_words_stay(token: str) -> None:
    scrubbed = scrub(f"a {token} b")

    assert token not in scrubbed.text
    assert scrubbed.report["control-tokens"] == 1
    assert [*filter(str.isalnum, scrubbed.text)] == [*filter(str.isalnum, f"a {token} b")]
    assert len(scrubbed.text) == len(f"a {token} b")


@pytest.mark.parametrize("rendition", Rendition)
@pytest.mark.parametrize("place", PLACES.values(), ids=PLACES)
def test_no_token_comes_through_a_page(place: str, rendition: Rendition) -> None:
    for token in TOKENS:
        job = ContentJob(
            kind=ContentKind.HTML,
            media_type="text/html",
            url="https://a.test/",
            text=place.format(html.escape(token)),
            body=b"",
            options=ReadOptions(format=rendition),
        )
        text = read_content(job).text or ""

        assert token not in text
        assert token not in html.unescape(text)
        assert token not in text.replace("\\", "")


LEFT = [
    "[Mask] [mask] [SEPT] [PADDING] [ MASK ] [MASK-1] MASK",
    "[IMG]https://a.test/x.png[/IMG] [AUDIO] [ARGS] [PREFIX]",
    "<image> <video> <audio> <filename> <ref> <tools> <answer> <ai> <role>admin</role>",
    "Vec<pad_t> Box<Mask> Layer<Pad> Map<String, S> vector<unknown>",
    '<mask id="m"> <pad left=1>',
    "cout << x << y >> z; a<<EOF >>> print",
    "arr[e~x] [e~] a~b] x~[0] | a | b |",
    "\uff5c a \uff5c b \uff5c",
    "[| a |] [|1|]",
]


@pytest.mark.parametrize("text", LEFT)
def test_what_only_looks_like_a_token_stays(text: str) -> None:
    assert (scrub(text).text, scrub(text).report) == (text, {})


def test_the_text_of_a_link_is_broken_and_the_link_stays() -> None:
    assert scrub("[BOS](https://a.test/) beat [MIA](/b)").text == "[ BOS](https://a.test/) beat [MIA](/b)"


def test_crossed_out_text_stays_so_in_html() -> None:
    job = ContentJob(
        kind=ContentKind.HTML,
        media_type="text/html",
        url="https://a.test/",
        text="<p><s>9</s> 7",
        body=b"",
        options=ReadOptions(format=Rendition.HTML),
    )

    assert "<del>9</del> 7" in (read_content(job).text or "")
